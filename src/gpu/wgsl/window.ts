import type { BlockLayout } from '../../plan/layout.ts';
import type { MultiplyStep, StepOperand } from '../../plan/plan.ts';
import type { Numeric } from '../../precision/wgsl/numeric.ts';
import { declareBuffer, declareSlots, finishFunction } from './leaves/epilogue.ts';

/** The invocations of a window product's workgroup. */
export const WINDOW_WORKGROUP = 64;

/** The WGSL `fn at(window, row, col)`: the index of an entry of a window in its block, by the {@link layoutWords} of `layouts`. */
export const addressFunction = `fn at(window: vec4<u32>, row: u32, col: u32) -> u32 {
  var i = window.x + row;
  var j = window.y + col;
  var word = window.z;
  var offset = 0u;
  let levels = layouts[word];
  word++;
  for (var level = 0u; level < levels; level++) {
    let rows = layouts[word];
    let cols = layouts[word + 1u];
    let gridCols = layouts[word + 2u];
    let coreRows = layouts[word + 3u];
    let coreCols = gridCols * cols;
    let allCols = layouts[word + 7u];
    if (i >= coreRows) { return offset + layouts[word + 6u] + (i - coreRows) * allCols + j; }
    if (j >= coreCols) { return offset + layouts[word + 5u] + i * (allCols - coreCols) + (j - coreCols); }
    offset += ((i / rows) * gridCols + j / cols) * layouts[word + 4u];
    i %= rows;
    j %= cols;
    word += 8u;
  }
  return offset + i * layouts[word] + j;
}`;

/**
 * Returns the WGSL of a product of windows (peeling's fix-ups): one invocation an entry, summed sequentially over k, with every entry found
 * through its block's layout. Bindings are 0: the shape, the width of the grid in invocations and for x, y and the slot (row, col, layout);
 * 1: the layouts of {@link layoutWords}; 2: x, 3: y, 4: the slot.
 */
export function windowShader(step: MultiplyStep, numeric: Numeric): string {
  const entry = (text: string) => numeric.prepare(text, 1);
  const term = numeric.multiplyAdd(entry('x[at(params.x, i, p)]'), entry('y[at(params.y, p, j)]'), 'sum', 1);
  return `${numeric.enables}struct Params { m: u32, k: u32, n: u32, width: u32, x: vec4<u32>, y: vec4<u32>, z: vec4<u32>, zero: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> layouts: array<u32>;
${numeric.prelude}
${declareBuffer(2, 'x', numeric, 1)}
${declareBuffer(3, 'y', numeric, 1)}
${declareSlots(step.slots, numeric, 1, 4)}
${finishFunction(step, numeric, 1)}
${addressFunction}
@compute @workgroup_size(${WINDOW_WORKGROUP})
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let e = id.y * params.width + id.x;
  if (e >= params.m * params.n) { return; }
  let i = e / params.n;
  let j = e % params.n;
  var sum = ${numeric.zero(1)};
  for (var p = 0u; p < params.k; p++) {
    sum = ${term};
  }
  finish(at(params.z, i, j), sum);
}`;
}

/** Returns the words of a layout for the window shader: the number of levels, eight words a level, the leaf's leading dimension. */
export function layoutWords(layout: BlockLayout): number[] {
  const words: number[] = [];
  let levels = 0;
  let here = layout;
  for (; here.kind === 'split'; here = here.part) {
    const { part, gridRows, gridCols, rightFringe, bottomFringe, cols } = here;
    words.push(
      part.rows,
      part.cols,
      gridCols,
      gridRows * part.rows,
      part.size,
      rightFringe,
      bottomFringe,
      cols,
    );
    levels++;
  }
  return [levels, ...words, here.ld];
}

/** Returns the words of an operand's window for the window shader: row, column and layout. */
export function windowWords(operand: StepOperand, layoutAt: number): number[] {
  const { row, col } = operand.window ?? { row: 0, col: 0 };
  return [row, col, layoutAt, 0];
}
