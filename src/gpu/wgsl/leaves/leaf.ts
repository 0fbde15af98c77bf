import type { Shape } from '../../../matrix/dense.ts';
import type { MultiplyStep } from '../../../plan/plan.ts';
import type { Numeric, Width } from '../../../precision/wgsl/numeric.ts';
import { codedText, type OperandName, operandOfNumber, sideOf } from '../codes/coded-text.ts';
import type { Tiling } from '../tiling.ts';
import { declareBuffer, declareSlots, type Finish, finishByParams } from './epilogue.ts';

/**
 * A kernel that multiplies leaf blocks: x (m×k) times y (k×n), row-major, then the step's updates. Every leaf
 * sums each entry sequentially over k from zero with the multiply-add of the precision (explicit fma in binary32), so
 * that the mirror has one order to follow.
 *
 * Its shader has the bindings 0: {@link leafHead}'s params, 1: x, 2: y, 3…: the slots; then the factors of x and y where these are
 * coded.
 */
export interface Leaf {
  readonly name: string;
  /** What a person reads in a listing. */
  readonly what: string;
  /** The rows, depth and columns it multiplies at a time: what `tail: 'pad'` stores blocks padded to. */
  readonly tile: Shape;
  /** What it needs of a device beyond what every WebGPU device has: 256 invocations, 16 KiB of workgroup memory. */
  readonly needs?: Needs;
  /** What it is generated from: fused products may take it too, where it stages operands in workgroup memory. */
  readonly tiling: Tiling;
  /** Whether x is bound as a texture: its words one after the other, four a texel, row by row (rgba32uint). */
  readonly texture?: boolean;
  /** WGSL with entry point `main`, bounds checks included only in the dimensions that need them. */
  shader(step: MultiplyStep, numeric: Numeric): string;
  /** What of the step the shader depends on beside its updates: one pipeline serves all steps of a variant. */
  variant(shape: Shape): string;
  /** Workgroups in x and y for `rows` rows of n columns. */
  workgroups(rows: number, n: number): readonly [number, number];
}

/** How the tilings of a family become leaf kernels. */
export interface Generator<T extends Tiling> {
  what(tiling: T): string;
  needs?(tiling: T): Needs;
  /** Whether precisions without lanes have the kernel of `entriesShader` in its place. */
  readonly lanes: boolean;
  variant(tiling: T, shape: Shape): string;
  shader(tiling: T, step: MultiplyStep, numeric: Numeric): string;
}

/** Whether a tile divides rows and columns, and k where told so. */
export const divides = (tile: Shape, { m, k, n }: Shape, along = 1): boolean =>
  m % tile.m === 0 && n % tile.n === 0 && k % along === 0;

/** What a leaf kernel takes of a device. */
export interface Needs {
  /** Invocations of a workgroup. */
  readonly invocations: number;
  /** Bytes of workgroup memory, at most. */
  readonly bytes: number;
  /** Invocations that every subgroup must have. */
  readonly subgroup?: number;
}

/** Limits of a device that a leaf kernel may exceed. */
export interface WorkgroupLimits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupStorageSize: number;
}

/** What of a device a leaf kernel may exceed. */
export interface Able {
  readonly limits: WorkgroupLimits;
  /** Invocations of every subgroup, where all have the same number and shaders may use them. */
  readonly subgroup?: number | undefined;
}

/** What a leaf kernel needs and a device has not, as a clause after "it"; undefined where it runs. */
export function exceeds({ needs }: Leaf, { limits, subgroup }: Able): string | undefined {
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

/** How a leaf's shader binds what it reads and finishes what it sums, where that is not as usual. */
interface Head {
  /** Entries of an element of the buffers. @defaultValue 1 */
  readonly width?: Width;
  /** The declaration of x. @defaultValue a buffer of as many entries an element */
  readonly x?: string;
  /** What writes `finish`. @defaultValue finishByParams */
  readonly finish?: (step: MultiplyStep, numeric: Numeric, width: Width) => string;
}

/**
 * What every leaf's shader begins with: the precision's declarations, and the uniform with the step's shape, the rows
 * [firstRow, endRow) of this dispatch, a zero, and what the slots do with the product ({@link updatesWord}); then its
 * buffers, and `finish`.
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

/** An operand's buffer, with what decodes its entries where they are coded. */
export function declareOperand(
  binding: number,
  name: OperandName,
  { slots }: Finish,
  numeric: Numeric,
  width: Width,
): string {
  const { coded } = numeric;
  const coding = coded?.[sideOf(name)];
  if (coding === undefined) return declareBuffer(binding, name, numeric, width);
  const before = name === 'y' && coded?.a !== undefined ? 1 : 0;
  return codedText(name, coding, { codes: binding, factors: 3 + slots.length + before });
}

/** What leaf products multiply, from an entry of x or y. */
export const operandAt = (name: OperandName, index: string, numeric: Numeric): string =>
  numeric.coded?.[sideOf(name)] === undefined
    ? numeric.prepare(`${name}[${index}]`, 1)
    : operandOfNumber(`${name}At(${index})`, numeric);
