import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { codedText, type OperandName, operandOfNumber, sideOf } from '../codes/coded-text.ts';
import type { Tiling } from '../tiling.ts';
import { declareBuffer, declareSlots, type EpilogueInput, finishByParams } from './epilogue.ts';

/**
 * A kernel that multiplies leaf blocks: x (m×k) times y (k×n), row-major, followed by the step's updates. Every leaf sums each entry
 * sequentially over k from zero with the multiply-add of the precision (explicit fma in binary32), so that the bit-exact model has one
 * order to follow.
 * Its shader has the bindings 0: {@link leafHead}'s params, 1: x, 2: y, 3…: the slots; then the factors of coded x and y.
 */
export interface Leaf {
  readonly name: string;
  /** A description for listings. */
  readonly what: string;
  /** The rows, depth and columns that a workgroup multiplies at a time. With `tail: 'pad'` blocks are padded to multiples of it. */
  readonly tile: Shape;
  /** The resources needed beyond those of every WebGPU device: 256 invocations, 16 KiB of workgroup memory. */
  readonly needs?: LeafNeeds;
  /** The tiling that it is generated from. Fused products may take it too, if it stages operands in workgroup memory. */
  readonly tiling: Tiling;
  /** True if x is bound as a texture: its words in order, four a texel, row by row (rgba32uint). */
  readonly texture?: boolean;
  /** Returns WGSL with entry point `main`, with bounds checks only in the dimensions that need them. */
  shader(step: MultiplyStep, numeric: Numeric): string;
  /**
   * Returns a key of the step's properties, other than its updates, on which the shader depends. One pipeline serves all steps of a
   * variant.
   */
  variant(shape: Shape): string;
  /** Returns the workgroups in x and y for `rows` rows of n columns. */
  workgroups(rows: number, n: number): readonly [number, number];
}

/** Generates leaf kernels from the tilings of a family. */
export interface LeafGenerator<T extends Tiling> {
  what(tiling: T): string;
  needs?(tiling: T): LeafNeeds;
  /** True if precisions without lanes use the kernel of `entriesShader` instead. */
  readonly lanes: boolean;
  variant(tiling: T, shape: Shape): string;
  shader(tiling: T, step: MultiplyStep, numeric: Numeric): string;
}

/** True if a tile divides rows and columns, and `along` divides k. */
export const divides = (tile: Shape, { m, k, n }: Shape, along = 1): boolean =>
  m % tile.m === 0 && n % tile.n === 0 && k % along === 0;

/** The resources of a device that a leaf kernel needs. */
export interface LeafNeeds {
  /** The invocations of a workgroup. */
  readonly invocations: number;
  /** The most bytes of workgroup memory. */
  readonly bytes: number;
  /** The size that every subgroup must have, in invocations. */
  readonly subgroup?: number;
}

/** The limits of a device that a leaf kernel may exceed. */
export interface WorkgroupLimits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupStorageSize: number;
}

/** The capabilities of a device that decide which leaf kernels run on it. */
export interface LeafCapabilities {
  readonly limits: WorkgroupLimits;
  /** The size of every subgroup, in invocations. Absent if sizes differ or shaders may not use subgroups. */
  readonly subgroup?: number | undefined;
}

/** Explains which resource a leaf kernel lacks on a device, as a clause after "it"; undefined if the kernel runs. */
export function whyExceeded({ needs }: Leaf, { limits, subgroup }: LeafCapabilities): string | undefined {
  if (needs === undefined) return undefined;
  const { maxComputeInvocationsPerWorkgroup: invocations, maxComputeWorkgroupStorageSize: bytes } = limits;
  if (needs.invocations > invocations)
    return `needs workgroups of ${needs.invocations} invocations, and the device allows ${invocations}`;
  if (needs.bytes > bytes)
    return `needs ${needs.bytes} bytes of workgroup memory, and the device has ${bytes}`;
  if (needs.subgroup !== undefined && needs.subgroup !== subgroup) {
    const has = subgroup === undefined ? 'does not promise one size' : `has subgroups of ${subgroup}`;
    return `needs subgroups of ${needs.subgroup} invocations, and the device ${has}`;
  }
  return undefined;
}

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
