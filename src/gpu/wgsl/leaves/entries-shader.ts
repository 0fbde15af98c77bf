import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { repeatLines } from '../each.ts';
import { type PlainTiling, type Tiling, tileShapeOf } from '../tilings.ts';
import { divides, type LeafShader, leafHead, operandAt } from './leaf-shader.ts';

/** The tiled leaf: one invocation an entry, with square tiles of both operands in workgroup memory. */
export const tiled: LeafShader<PlainTiling> = {
  lanes: false,
  variant: (tiling, shape) => (isWhole(tiling, shape) ? 'whole' : 'guarded'),
  shader(tiling, step, numeric) {
    const side = tiling.depth;
    const whole = isWhole(tiling, step.shape);
    const loadX = operandAt('x', 'i * params.k + p + local.x', numeric);
    const loadY = operandAt('y', '(p + local.y) * params.n + j', numeric);
    const [fromX, fromY] = [`xs[local.y * ${side}u + q]`, `ys[q * ${side}u + local.x]`];
    const inX = whole ? '' : 'i < params.endRow && p + local.x < params.k';
    const inY = whole ? '' : 'j < params.n && p + local.y < params.k';
    return `${leafHead(step, numeric)}
var<workgroup> xs: array<${numeric.operand(1)}, ${side * side}>;
var<workgroup> ys: array<${numeric.operand(1)}, ${side * side}>;
@compute @workgroup_size(${side}, ${side})
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
  let i = params.firstRow + id.y;
  let j = id.x;
  let at = local.y * ${side}u + local.x;
  var sum = ${numeric.zero(1)};
  for (var p = 0u; p < params.k; p += ${side}u) {
    ${guardedLoad('xs', loadX, inX)}
    ${guardedLoad('ys', loadY, inY)}
    workgroupBarrier();
    let depth = min(${side}u, params.k - p);
    for (var q = 0u; q < depth; q++) {
      sum = ${numeric.multiplyAdd(fromX, fromY, 'sum', 1)};
    }
    workgroupBarrier();
  }
  if (i < params.endRow${whole ? '' : ' && j < params.n'}) { finish(i * params.n + j, sum); }
}`;
  },
};

const isWhole = (tiling: PlainTiling, shape: Shape) => divides(tileShapeOf(tiling), shape, tiling.depth);

function guardedLoad(tile: string, load: string, condition: string): string {
  return condition === '' ? `${tile}[at] = ${load};` : `if (${condition}) { ${tile}[at] = ${load}; }`;
}

/** The rows and columns that an invocation computes at a time: code for more takes longer to compile than it saves. */
const AT_A_TIME = { rows: 2, cols: 2 };

/**
 * Returns a register-blocked shader for precisions without lanes. Each step of k prepares a few operands of a column and of a row, and uses
 * each for several products. This makes operands affordable that take a dozen instructions to prepare. An invocation computes its entries
 * in small blocks, one after the other, each over all of k. The blocks that a workgroup computes at a time are adjacent, so that
 * neighboring invocations read neighboring entries. It needs no workgroup memory.
 */
export function entriesShader(tiling: Tiling, step: MultiplyStep, numeric: Numeric): string {
  const { rows, cols, across, down } = tiling;
  const tile = tileShapeOf(tiling);
  const small = { rows: divisor(rows, AT_A_TIME.rows), cols: divisor(cols, AT_A_TIME.cols) };
  const whole = divides(tile, step.shape);
  return `${leafHead(step, numeric)}
fn store(i: u32, j: u32, P: ${numeric.value(1)}) {
  if (i >= params.endRow${whole ? '' : ' || j >= params.n'}) { return; }
  finish(i * params.n + j, P);
}
${smallBlock(small.rows, small.cols, whole, step.run, numeric)}
@compute @workgroup_size(${across}, ${down})
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) id: vec3<u32>) {
  for (var r = 0u; r < ${tile.m}u; r += ${small.rows * down}u) {
    for (var c = 0u; c < ${tile.n}u; c += ${small.cols * across}u) {
      let top = params.firstRow + group.y * ${tile.m}u + r + id.y * ${small.rows}u;
      let left = group.x * ${tile.n}u + c + id.x * ${small.cols}u;
      if (top < params.endRow && left < params.n) { multiply(top, left); }
    }
  }
}`;
}

/** Returns the WGSL `fn multiply(top, left)`: the rows×cols entries from there on. */
function smallBlock(
  rows: number,
  cols: number,
  whole: boolean,
  run: number | undefined,
  numeric: Numeric,
): string {
  const entries = (text: (r: number, c: number) => string) =>
    repeatLines(rows, (r) => repeatLines(cols, (c) => text(r, c)));
  const within = (index: string, end: string) => (whole ? `(${index})` : `min(${index}, ${end} - 1u)`);
  const sums = Array.from({ length: rows * cols }, (_, e) => `c${Math.floor(e / cols)}_${e % cols}`);
  const joined = (sum: string) => numeric.add(`kept_${sum}`, sum, 1);
  const keep = (sum: string) =>
    `      if (p == ${run}u) { kept_${sum} = ${sum}; } else { kept_${sum} = ${joined(sum)}; }\n      ${sum} = ${numeric.zero(1)};`;
  const lines = (text: (sum: string) => string) => (run === undefined ? '' : sums.map(text).join('\n'));
  const endOfRun = run === undefined ? '' : `    if (p > 0u && p % ${run}u == 0u) {\n${lines(keep)}\n    }`;
  return `fn multiply(top: u32, left: u32) {
${repeatLines(rows, (r) => `  let i${r} = ${within(`top + ${r}u`, 'params.m')} * params.k;`)}
${repeatLines(cols, (c) => `  let j${c} = ${within(`left + ${c}u`, 'params.n')};`)}
${entries((r, c) => `  var c${r}_${c} = ${numeric.zero(1)};`)}
${lines((sum) => `  var kept_${sum}: ${numeric.value(1)};`)}
  for (var p = 0u; p < params.k; p++) {
${endOfRun}
${repeatLines(rows, (r) => `    let x${r} = ${operandAt('x', `i${r} + p`, numeric)};`)}
${repeatLines(cols, (c) => `    let y${c} = ${operandAt('y', `p * params.n + j${c}`, numeric)};`)}
${entries((r, c) => `    c${r}_${c} = ${numeric.multiplyAdd(`x${r}`, `y${c}`, `c${r}_${c}`, 1)};`)}
  }
${lines((sum) => `  ${sum} = ${joined(sum)};`)}
  var sums = array<${numeric.value(1)}, ${rows * cols}>(${sums.join(', ')});
  // A loop, so that the updates, which may be long, are there once.
  for (var e = 0u; e < ${rows * cols}u; e++) { store(top + e / ${cols}u, left + e % ${cols}u, sums[e]); }
}`;
}

function divisor(of: number, limit: number): number {
  let found = Math.min(of, limit);
  while (of % found !== 0) found--;
  return found;
}
