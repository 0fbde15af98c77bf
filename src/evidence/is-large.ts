import type { Registry } from '../base/registry.ts';
import { plainGemm, requestedGemm } from '../matrix/gemm.ts';
import { leavesTriangle, repeatsTerms } from '../matrix/structured-operands.ts';
import { type Check, defaultThresholds } from './checks/check.ts';
import type { Evidence, WeighingInput } from './evidence.ts';
import { type ComparisonEffort, comparisonCostOf } from './reference.ts';

/** Smaller products of a batch are compared entry by entry, however many there are. */
const SMALLEST = 2 ** 20;

/** More results than this would take gigabytes with their references, however short their sums. */
const MOST_RESULTS = 2 ** 24;

/** The parts of a product that decide whether it is large. */
interface Sized extends Pick<WeighingInput, 'gemm'> {
  readonly kernel: Pick<WeighingInput['kernel'], 'activations' | 'diagonal' | 'followsPlan' | 'zeroPoints'>;
  readonly plan: Pick<WeighingInput['plan'], 'shape'>;
}

/**
 * True if a product is judged by projections and a sample. That applies to kernels that follow no built-in plan, where exact product,
 * bounds and expected errors cost more than an effort allows. Built-in plans are walked for the model anyway. Samples do not support
 * imaginary parts of alpha or beta, where an entry depends on two, a triangle of a general product, terms that occur twice, zero points
 * that are subtracted from sums, operands that the kernel quantizes, or powers of two at rows and columns.
 */
export function isLarge(
  { kernel, plan, gemm }: Sized,
  { projected }: Pick<ComparisonEffort, 'projected'>,
): boolean {
  const asked = gemm ?? plainGemm(plan.shape);
  const { m, k, n, batch } = asked;
  const isMuch = m * k * n * batch > projected || m * n * batch > MOST_RESULTS;
  const one = comparisonCostOf({ ...asked, batch: 1 });
  const isLarge = isMuch && one > Math.min(projected, SMALLEST);
  const requested = requestedGemm(asked);
  const isWhole = leavesTriangle(requested) || repeatsTerms(requested);
  const isSampled =
    asked.imaginary === undefined &&
    !isWhole &&
    kernel.zeroPoints !== 'last' &&
    kernel.activations === undefined &&
    kernel.diagonal === undefined;
  return kernel.followsPlan === false && isLarge && isSampled;
}

/** The cost, in multiplications, up to which a failing large product is compared entry by entry after all. */
export const WHOLE = 2 ** 30;

/**
 * True if a large product that was judged by projections and a sample deserves an exact comparison of every entry: it fails, and a
 * diagnosis of all its wrong entries tells more.
 */
export function isWholeWorth(evidence: Evidence, checks: Registry<Check>): boolean {
  if (comparisonCostOf(evidence.gemm) > WHOLE) return false;
  return checks.items.some((check) => check.judge(evidence, defaultThresholds).status === 'fail');
}
