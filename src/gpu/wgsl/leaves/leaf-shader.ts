import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { codedText, type OperandName, operandOfNumber, sideOf } from '../codes/coded-text.ts';
import { type Tiling, tileShapeOf } from '../tilings.ts';
import {
  declareBehind,
  declareBuffer,
  declareSlots,
  type EpilogueInput,
  finishByParams,
} from './epilogue.ts';

/**
 * The shaders of a family of tilings. A shader has the bindings 0: {@link leafHead}'s params, 1: x, 2: y, 3…: the slots; then the
 * factors of coded x and y, or the numbers of an epilogue.
 */
export interface LeafShader<T extends Tiling> {
  /** True if precisions without lanes use the kernel of `entriesShader` instead. */
  readonly lanes: boolean;
  /**
   * Returns a key of the step's properties, other than its updates, on which the shader depends. One pipeline serves all steps of a
   * variant.
   */
  variant(tiling: T, shape: Shape): string;
  /** Returns WGSL with entry point `main`, with bounds checks only in the dimensions that need them. */
  shader(tiling: T, step: MultiplyStep, numeric: Numeric): string;
}

/** True if a tile divides rows and columns, and `along` divides k. */
export const divides = (tile: Shape, { m, k, n }: Shape, along = 1): boolean =>
  m % tile.m === 0 && n % tile.n === 0 && k % along === 0;

/** The parts of a leaf shader's beginning that differ from the default. */
interface Head {
  /** The entries of an element of the buffers. @defaultValue 1 */
  readonly width?: Width;
  /** The declaration of x. @defaultValue a buffer with the same entries an element */
  readonly x?: string;
  /** Writes the function `finish`. @defaultValue finishByParams */
  readonly finish?: (step: MultiplyStep, numeric: Numeric, width: Width) => string;
}

/**
 * Returns the beginning of every leaf's shader: the precision's declarations, then the uniform with the step's shape, the rows [firstRow,
 * endRow) of this dispatch, a zero, and the updates of the slots ({@link updatesWord}); then its buffers, and `finish`.
 */
export function leafHead(
  step: MultiplyStep,
  numeric: Numeric,
  { width = 1, x = declareOperand(1, 'x', step, numeric, width), finish = finishByParams }: Head = {},
): string {
  const { enables, prelude } = numeric;
  return `${enables}struct Params { m: u32, k: u32, n: u32, firstRow: u32, endRow: u32, zero: u32, updates: u32 }
@group(0) @binding(0) var<uniform> params: Params;
${prelude}
${x}
${declareOperand(2, 'y', step, numeric, width)}
${declareSlots(step.slots, numeric, width, 3)}
${declareBehind(numeric, width, 3 + step.slots.length)}
${finish(step, numeric, width)}`;
}

/** Returns WGSL that declares an operand's buffer, with the functions that decode its entries if it is coded. */
export function declareOperand(
  binding: number,
  name: OperandName,
  { slots }: EpilogueInput,
  numeric: Numeric,
  width: Width,
): string {
  const { coded } = numeric;
  const coding = coded?.[sideOf(name)];
  if (coding === undefined) return declareBuffer(binding, name, numeric, width);
  const before = name === 'y' && coded?.a !== undefined ? 1 : 0;
  return codedText(name, coding, { codes: binding, factors: 3 + slots.length + before });
}

/** Returns WGSL of the operand of a leaf product at an index of x or y. */
export const operandAt = (name: OperandName, index: string, numeric: Numeric): string =>
  numeric.coded?.[sideOf(name)] === undefined
    ? numeric.prepare(`${name}[${index}]`, 1)
    : operandOfNumber(`${name}At(${index})`, numeric);

/** The properties of a shape on which a shader's text depends. */
export interface VectorFit {
  /** True if no index needs a check. */
  readonly whole: boolean;
  /** True if k and n are multiples of 4, so that four entries of a row are bound as one. */
  readonly byFour: boolean;
}

/** Returns the cut of a shape: whole blocks without checks, checked vec4s if k and n are multiples of 4, or checked entries. */
export function cutOf(tiling: Tiling, shape: Shape): VectorFit {
  const whole = divides(tileShapeOf(tiling), shape, 4);
  return { whole, byFour: whole || (shape.n % 4 === 0 && shape.k % 4 === 0) };
}

export function lanesVariant(tiling: Tiling, shape: Shape): string {
  const { whole, byFour } = cutOf(tiling, shape);
  return whole ? 'whole' : byFour ? 'guarded' : 'guarded entries';
}

/** Returns the beginning of shaders with lanes: {@link leafHead}, `loadX`, `loadY` and `store`. */
export const lanesHead = (step: MultiplyStep, { whole, byFour }: VectorFit, numeric: Numeric): string =>
  `${leafHead(step, numeric, { width: byFour ? 4 : 1 })}
${loadLanesX(byFour, numeric)}
${loadLanesY(byFour, whole, numeric)}
${storeLanes(byFour, whole, numeric)}`;

/**
 * Returns the WGSL `fn loadX(i: u32, p: u32) -> operand4`: the entries (i, p) to (i, p + 3) of x.
 * @param byFour true if k and n are multiples of 4, so that operands are bound as vec4s.
 */
function loadLanesX(byFour: boolean, numeric: Numeric): string {
  const head = `fn loadX(i: u32, p: u32) -> ${numeric.operand(4)}`;
  if (byFour) return `${head} { return ${numeric.prepare('x[(i * params.k + p) / 4u]', 4)}; }`;
  const entries = [0, 1, 2, 3].map((c) => `x[e + ${c}u]`).join(', ');
  return `${head} {
  let e = i * params.k + p;
  return ${numeric.prepare(`${numeric.memory(4)}(${entries})`, 4)};
}`;
}

/**
 * Returns the WGSL `fn loadY(p: u32, j: u32) -> operand4`: the entries (p, j) to (p, j + 3) of y. Columns beyond y repeat others of y.
 * @param whole true if the columns need no check.
 */
function loadLanesY(byFour: boolean, whole: boolean, numeric: Numeric): string {
  const head = `fn loadY(p: u32, j: u32) -> ${numeric.operand(4)}`;
  if (byFour) {
    const column = whole ? 'j' : 'min(j, params.n - 4u)';
    return `${head} { return ${numeric.prepare(`y[(p * params.n + ${column}) / 4u]`, 4)}; }`;
  }
  const entry = (c: number) => `y[p * params.n + min(j + ${c}u, params.n - 1u)]`;
  const entries = [0, 1, 2, 3].map(entry).join(', ');
  return `${head} { return ${numeric.prepare(`${numeric.memory(4)}(${entries})`, 4)}; }`;
}

/**
 * Returns the WGSL `fn store(i: u32, j: u32, P: value4)`, which finishes those of the entries (i, j) to (i, j + 3) that the product has.
 * @param byFour true if n is a multiple of 4, so that slots are bound as vec4s.
 * @param whole true if the columns need no check.
 */
export function storeLanes(byFour: boolean, whole: boolean, numeric: Numeric): string {
  const head = `fn store(i: u32, j: u32, P: ${numeric.value(4)})`;
  const guard = `i >= params.endRow${whole ? '' : ' || j >= params.n'}`;
  if (byFour) return `${head} { if (${guard}) { return; } finish((i * params.n + j) / 4u, P); }`;
  return `${head} {
  if (${guard}) { return; }
  for (var c = 0u; c < min(4u, params.n - j); c++) { finish(i * params.n + j + c, P[c]); }
}`;
}

/**
 * Returns WGSL that stores the sums `c0_0`, `c0_1`, …, vec4s of rows from `top` on, in columns from `left` on.
 * @param apart columns from one vec4 of an invocation to the next.
 * @param rowOf maps the number of a row of sums to its row, counted from `top`.
 */
export function storeSums(
  rows: number,
  vectors: number,
  apart: number,
  numeric: Numeric,
  rowOf = (r: string) => r,
): string {
  const count = rows * vectors;
  const sums = Array.from({ length: count }, (_, e) => `c${Math.floor(e / vectors)}_${e % vectors}`);
  return `  var sums = array<${numeric.value(4)}, ${count}>(${sums.join(', ')});
  // The updates may be long: in a loop, and in one that no compiler unrolls, they are there once.
  for (var e = 0u; e < ${count}u; e += 1u + params.zero) { store(top + ${rowOf(`e / ${vectors}u`)}, left + e % ${vectors}u * ${apart}u, sums[e]); }`;
}
