import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { codedText, type OperandName, operandOfNumber, sideOf } from '../codes/coded-text.ts';
import type { Tiling } from '../tiling.ts';
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
