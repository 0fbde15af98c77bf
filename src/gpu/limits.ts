import { MAX_DIMENSION, type Shape } from '../matrix/dense.ts';
import type { BufferName, Plan } from '../plan/plan.ts';
import type { Numeric } from '../precision/wgsl/numeric.ts';
import type { OpenDevice } from './device.ts';
import { tooLarge } from './messages.ts';
import { GUARDS } from './runner/stored.ts';

/** Returns the bytes of the largest buffer that can be bound as a whole. */
export function largestBuffer({ limits }: Pick<OpenDevice, 'limits'>): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
}

/** Compiles the plan of the same kernel, in the same manner, for another shape. */
export type PlanFactory = (shape: Shape) => Plan;

/**
 * Checks that a product fits the device as a whole.
 * @param planFor finds the largest square product that fits, for the message; without it the message names none.
 * @throws ParanoiaError too-large
 */
export function checkLimits(
  open: Pick<OpenDevice, 'limits'>,
  plan: Plan,
  numeric: Numeric,
  kernel: string,
  planFor?: PlanFactory,
): void {
  const over = beyond(open, plan, numeric);
  if (over === undefined) return;
  const fits = (n: number) => isWithinLimits(open, (planFor as PlanFactory)({ m: n, k: n, n }), numeric);
  // With peeling, a size between two multiples may take more memory than the next multiple.
  const unit = smallestSquareOf(plan);
  // Every plan stores at least the entries of A.
  const most = Math.floor(Math.sqrt(open.limits.maxBufferSize / (4 * numeric.words)));
  const size = planFor && largestSize(unit, most, fits);
  throw tooLarge({ kernel, ...over, size, unit });
}

/** True if a product fits the device as a whole. */
export function isWithinLimits(open: Pick<OpenDevice, 'limits'>, plan: Plan, numeric: Numeric): boolean {
  return beyond(open, plan, numeric) === undefined;
}

/** Returns the part of a product that is too large: a buffer, or a block, which is the part of a matrix that a step binds. */
function beyond(
  { limits }: Pick<OpenDevice, 'limits'>,
  plan: Plan,
  { words }: Numeric,
): { buffer: string; bytes: number; largest: number } | undefined {
  const { maxBufferSize, maxStorageBufferBindingSize } = limits;
  const bound = boundEntries(plan);
  for (const name of ['A', 'B', 'C', 'W'] as const) {
    const bytes = 4 * words * (plan.sizes[name] + 2 * GUARDS);
    if (bytes > maxBufferSize) return { buffer: name, bytes, largest: maxBufferSize };
    const block = 4 * words * (bound.get(name) ?? 0);
    const buffer = bound.get(name) === plan.sizes[name] ? name : `a block of ${name}`;
    if (block > maxStorageBufferBindingSize)
      return { buffer, bytes: block, largest: maxStorageBufferBindingSize };
  }
  return undefined;
}

/** Returns, for each buffer, the entries of the largest block that a step binds. */
function boundEntries({ steps }: Plan): Map<BufferName, number> {
  const most = new Map<BufferName, number>();
  for (const step of steps) {
    const operands = step.kind === 'multiply' ? [...step.x, ...step.y, ...step.slots] : step.slots;
    for (const { block } of operands) {
      most.set(block.buffer, Math.max(most.get(block.buffer) ?? 0, block.layout.size));
    }
  }
  return most;
}

/** Returns the largest multiple of a unit that passes a test. All smaller multiples must pass too. Undefined if none passes. */
export function largestSize(
  unit: number,
  most: number,
  passes: (size: number) => boolean,
): number | undefined {
  let [passed, failed] = [0, Math.floor(Math.min(most, MAX_DIMENSION) / unit) + 1];
  while (failed - passed > 1) {
    const middle = Math.floor((passed + failed) / 2);
    if (passes(unit * middle)) passed = middle;
    else failed = middle;
  }
  return passed === 0 ? undefined : unit * passed;
}

/** Returns the smallest size of square products that a plan's levels divide. */
export function smallestSquareOf({ algorithm: { base }, levels }: Plan): number {
  const common = (x: number, y: number): number => (y === 0 ? x : common(y, x % y));
  const multiple = (x: number, y: number) => (x / common(x, y)) * y;
  return multiple(multiple(base.m, base.k), base.n) ** levels;
}
