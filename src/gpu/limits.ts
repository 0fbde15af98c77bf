import { MAX_DIMENSION, type Shape } from '../matrix/dense.ts';
import type { BufferName, Plan } from '../plan/plan.ts';
import { problem } from '../problems.ts';
import type { OpenDevice } from './device.ts';
import { GUARDS } from './guards.ts';
import type { Numeric } from './numerics/numeric.ts';

/** Bytes that a buffer may have to be bound as a whole. */
export function largestBuffer({ limits }: Pick<OpenDevice, 'limits'>): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
}

/** The plan of the same kernel, in the same manner, for another shape. */
export type PlanFor = (shape: Shape) => Plan;

/**
 * Sees that a product fits the device as a whole.
 * @param planFor to say up to which size square products fit; unsaid without it.
 * @throws Problem too-large
 */
export function checkLimits(
  open: Pick<OpenDevice, 'limits'>,
  plan: Plan,
  numeric: Numeric,
  kernel: string,
  planFor?: PlanFor,
): void {
  const largest = largestBuffer(open);
  const over = beyond(largest, plan, numeric);
  if (over === undefined) return;
  const fits = (n: number) => beyond(largest, (planFor as PlanFor)({ m: n, k: n, n }), numeric) === undefined;
  // Where rows and columns are peeled off, a size between two multiples may take more than the next one.
  const unit = 2 ** plan.levels;
  // No plan stores fewer entries of A than it has.
  const most = Math.floor(Math.sqrt(largest / (4 * numeric.words)));
  const size = planFor && largestSize(unit, most, fits);
  throw problem('too-large', { kernel, ...over, largest, size, unit });
}

/** Whether a product fits the device as a whole. */
export function isWithinLimits(open: Pick<OpenDevice, 'limits'>, plan: Plan, numeric: Numeric): boolean {
  return beyond(largestBuffer(open), plan, numeric) === undefined;
}

/** The first buffer of a product that is too large, and its bytes. */
function beyond(
  largest: number,
  { sizes }: Plan,
  { words }: Numeric,
): { buffer: BufferName; bytes: number } | undefined {
  const all = (['A', 'B', 'C', 'W'] as const).map((buffer) => ({
    buffer,
    bytes: 4 * words * (sizes[buffer] + 2 * GUARDS),
  }));
  return all.find(({ bytes }) => bytes > largest);
}

/** The largest multiple of a unit that passes a test which all smaller ones pass too; undefined where none does. */
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
