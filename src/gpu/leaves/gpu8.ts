import type { Shape } from '../../matrix/dense.ts';
import type { Numeric } from '../numerics/numeric.ts';
import { declareBuffer, declareSlots, finishFunction } from './epilogue.ts';
import { type Leaf, leafHead } from './leaf.ts';

/** Rows of C an invocation computes, in one column. */
const ROWS = 16;
/** Invocations of a workgroup, and columns of C. */
const ACROSS = 128;
/** Steps of k that are in workgroup memory at a time. */
const DEPTH = 64;
/** Entries of workgroup memory from one step in four to the next: one more than needed keeps banks apart. */
const STRIDE = 4 * ROWS + 1;

/** Where the first operand is read from. */
export type FirstOperand = 'buffer' | 'texture';

/**
 * GPU8 of Li, Ranka and Sahni (2011, section 4, Figures 8 and 9): an invocation computes 16 entries of a column, whose
 * part of x, 16×64 entries, lies in workgroup memory, four neighbours of a row together; y is read from global memory,
 * a value for 16 products. With a texture, x is read through one, as in their tStrassen and tWinograd (section 8.1).
 */
export function gpu8(first: FirstOperand, name: string): Leaf {
  const tile: Shape = { m: ROWS, k: DEPTH, n: ACROSS };
  const variant = ({ m, k, n }: Shape) => {
    if (m % ROWS === 0 && k % DEPTH === 0 && n % ACROSS === 0) return 'whole';
    return 'guarded';
  };
  return {
    name,
    what: `16 entries of a column an invocation, ${ROWS}×${ACROSS} a workgroup${first === 'texture' ? ', first operand through a texture' : ''}`,
    tile,
    variant,
    ...(first === 'texture' && { texture: true }),
    workgroups: (m, n) => [Math.ceil(n / ACROSS), Math.ceil(m / ROWS)],
    shader(step, numeric) {
      const whole = variant(step.shape) === 'whole';
      // Code for 16 entries at once takes longer to compile than it saves where an operation is a dozen instructions.
      const rows = (text: (r: string) => string) =>
        numeric.lanes
          ? Array.from({ length: ROWS }, (_, r) => text(`${r}u`)).join('\n')
          : `      for (var r = 0u; r < ${ROWS}u; r++) {\n${text('r')}\n      }`;
      return `${leafHead(numeric)}
${first === 'texture' ? textureEntry(numeric) : bufferEntry(numeric)}
${declareBuffer(2, 'y', numeric, 1)}
${declareSlots(step.slots, numeric, 1, 3)}
${finishFunction(step, numeric, 1)}
var<workgroup> xs: array<array<${numeric.operand(1)}, ${STRIDE}>, ${DEPTH / 4}>;
@compute @workgroup_size(${ACROSS})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let top = params.firstRow + group.y * ${ROWS}u;
  let column = group.x * ${ACROSS}u + local;
  let j = ${whole ? 'column' : 'min(column, params.n - 1u)'};
  var sums: array<${numeric.value(1)}, ${ROWS}>;
${rows((r) => `    sums[${r}] = ${numeric.zero(1)};`)}
  for (var p = 0u; p < params.k; p += ${DEPTH}u) {
    for (var e = local; e < ${ROWS * DEPTH}u; e += ${ACROSS}u) {
      let i = ${whole ? `top + e / ${DEPTH}u` : `min(top + e / ${DEPTH}u, params.m - 1u)`};
      let q = ${whole ? `p + e % ${DEPTH}u` : `min(p + e % ${DEPTH}u, params.k - 1u)`};
      xs[e % ${DEPTH}u / 4u][4u * (e / ${DEPTH}u) + e % 4u] = ${numeric.prepare('entryOfX(i * params.k + q)', 1)};
    }
    workgroupBarrier();
    let depth = ${whole ? `${DEPTH}u` : `min(${DEPTH}u, params.k - p)`};
    for (var q = 0u; q < depth; q++) {
      let y0 = ${numeric.prepare('y[(p + q) * params.n + j]', 1)};
${rows((r) => `      sums[${r}] = ${numeric.multiplyAdd(`xs[q / 4u][4u * ${r} + q % 4u]`, 'y0', `sums[${r}]`, 1)};`)}
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < ${ROWS}u; r++) {
    let i = top + r;
    if (i < params.endRow${whole ? '' : ' && column < params.n'}) { finish(i * params.n + j, sums[r]); }
  }
}`;
    },
  };
}

const bufferEntry = (numeric: Numeric) => `${declareBuffer(1, 'x', numeric, 1)}
fn entryOfX(e: u32) -> ${numeric.memory(1)} { return x[e]; }`;

/** Words are read as they are: as numbers, a texture may change NaN and subnormals. */
function textureEntry(numeric: Numeric): string {
  const perTexel = 4 / numeric.words;
  const words = numeric.words === 1 ? 'texel[e % 4u]' : 'select(texel.xy, texel.zw, e % 2u == 1u)';
  return `@group(0) @binding(1) var x: texture_2d<u32>;
fn entryOfX(e: u32) -> ${numeric.memory(1)} {
  let width = textureDimensions(x).x;
  let texel = textureLoad(x, vec2<u32>(e / ${perTexel}u % width, e / ${perTexel}u / width), 0);
  return bitcast<${numeric.memory(1)}>(${words});
}`;
}
