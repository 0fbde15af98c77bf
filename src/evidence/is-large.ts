import { plainGemm } from '../matrix/gemm.ts';
import type { Weighable } from './evidence.ts';
import { type Effort, workOf } from './reference.ts';

/** Products of a batch that are smaller are compared entry by entry, however many there are. */
const SMALLEST = 2 ** 20;

/** Results of which more would take gigabytes with all that they are compared with, however short their sums. */
const MOST_RESULTS = 2 ** 24;

/** What of a product says how large it is. */
interface Sized extends Pick<Weighable, 'gemm'> {
  readonly kernel: Pick<Weighable['kernel'], 'diagonal' | 'followsPlan' | 'zeroPoints'>;
  readonly plan: Pick<Weighable['plan'], 'shape'>;
}

/**
 * Whether a product is judged by projections and a sample: one of a kernel that follows no plan of ours, whose exact product,
 * bound and expected errors cost more than an effort allows. The plans of ours are walked for the mirror anyway; where alpha or beta has
 * an imaginary part an entry is made of two, which samples do not hold, nor do they the zero points that are subtracted from sums, or
 * powers of two at rows and columns.
 */
export function isLarge({ kernel, plan, gemm }: Sized, { projected }: Pick<Effort, 'projected'>): boolean {
  const asked = gemm ?? plainGemm(plan.shape);
  const { m, k, n, batch } = asked;
  const isMuch = m * k * n * batch > projected || m * n * batch > MOST_RESULTS;
  const one = workOf({ ...asked, batch: 1 });
  const isLarge = isMuch && one > Math.min(projected, SMALLEST);
  const isSampled =
    asked.imaginary === undefined && kernel.zeroPoints !== 'last' && kernel.diagonal === undefined;
  return kernel.followsPlan === false && isLarge && isSampled;
}
