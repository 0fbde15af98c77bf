import type { Shape } from '../../../matrix/dense.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { type ColumnTiling, tileShapeOf } from '../tilings.ts';
import { declareBuffer, finishFunction } from './epilogue.ts';
import { divides, type LeafShader, leafHead } from './leaf-shader.ts';

/**
 * GPU8 of Li, Ranka and Sahni (2011, section 4, Figures 8 and 9): an invocation computes 16 entries of a column. Workgroup memory holds
 * their part of x, 16×64 entries, with four neighbors of a row together. One unused entry between each group of four steps and the next
 * keeps banks apart. Values of y are read from global memory, one for 16 products. With a texture, x is read through it, as in their
 * tStrassen and tWinograd (section 8.1).
 */
export const column: LeafShader<ColumnTiling> = {
  lanes: false,
  variant: (tiling, shape) => (isWhole(tiling, shape) ? 'whole' : 'guarded'),
  shader(tiling, step, numeric) {
    const { rows: count, across, depth, loads } = tiling;
    const whole = isWhole(tiling, step.shape);
    // If an operation takes a dozen instructions, code for 16 entries at once takes longer to compile than it saves.
    const rows = (text: (r: string) => string) =>
      numeric.lanes
        ? Array.from({ length: count }, (_, r) => text(`${r}u`)).join('\n')
        : `      for (var r = 0u; r < ${count}u; r++) {\n${text('r')}\n      }`;
    return `${leafHead(step, numeric, { x: loads === 'texture' ? textureEntry(numeric) : bufferEntry(numeric), finish: finishFunction })}
var<workgroup> xs: array<array<${numeric.operand(1)}, ${4 * count + 1}>, ${depth / 4}>;
@compute @workgroup_size(${across})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
  let top = params.firstRow + group.y * ${count}u;
  let column = group.x * ${across}u + local;
  let j = ${whole ? 'column' : 'min(column, params.n - 1u)'};
  var sums: array<${numeric.value(1)}, ${count}>;
${rows((r) => `    sums[${r}] = ${numeric.zero(1)};`)}
  for (var p = 0u; p < params.k; p += ${depth}u) {
    for (var e = local; e < ${count * depth}u; e += ${across}u) {
      let i = ${whole ? `top + e / ${depth}u` : `min(top + e / ${depth}u, params.m - 1u)`};
      let q = ${whole ? `p + e % ${depth}u` : `min(p + e % ${depth}u, params.k - 1u)`};
      xs[e % ${depth}u / 4u][4u * (e / ${depth}u) + e % 4u] = ${numeric.prepare('entryOfX(i * params.k + q)', 1)};
    }
    workgroupBarrier();
    let depth = ${whole ? `${depth}u` : `min(${depth}u, params.k - p)`};
    for (var q = 0u; q < depth; q++) {
      let y0 = ${numeric.prepare('y[(p + q) * params.n + j]', 1)};
${rows((r) => `      sums[${r}] = ${numeric.multiplyAdd(`xs[q / 4u][4u * ${r} + q % 4u]`, 'y0', `sums[${r}]`, 1)};`)}
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < ${count}u; r++) {
    let i = top + r;
    if (i < params.endRow${whole ? '' : ' && column < params.n'}) { finish(i * params.n + j, sums[r]); }
  }
}`;
  },
};

const isWhole = (tiling: ColumnTiling, shape: Shape) => divides(tileShapeOf(tiling), shape, tiling.depth);

const bufferEntry = (numeric: Numeric) => `${declareBuffer(1, 'x', numeric, 1)}
fn entryOfX(e: u32) -> ${numeric.memory(1)} { return x[e]; }`;

/** Returns WGSL that reads an entry of the texture as words: read as numbers, a texture may change NaN and subnormals. */
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
