import { OURS } from '../../base/registry.ts';
import { formatTimes } from '../../report/numbers.ts';
import { type Check, notApplicable } from './check.ts';

/**
 * Check of the mean error against the baseline of the same case on the same adapter.
 *
 * A kernel that has not changed gives the same bits, hence no false alarm, whatever the factor. One that sums in another order makes other
 * errors of the same size. The mean of N errors that are normal and independent has a relative deviation of √(π/2 − 1)/√N = 0.76/√N. So
 * the ratio of two such means exceeds 2 with a chance near Q(0.59·√N): 1e-6 for 64 entries, 2e-9 for 100, but 0.3 for a single one, where
 * a change of order may well look like drift.
 */
export const drift: Check = {
  name: 'drift',
  what: 'Has the mean error grown since the baseline was recorded on this adapter?',
  source: OURS,
  decisive: false,
  judges: 'product',
  judge({ errors }, limits) {
    const { baseline } = limits;
    if (baseline === undefined)
      return notApplicable('No baseline is recorded for this case on this adapter.');
    const { mean } = errors.exact;
    const ratio = mean === baseline.meanError ? 1 : mean / baseline.meanError;
    const numbers = { found: mean, allowed: limits.drift * baseline.meanError };
    if (!(ratio <= limits.drift)) {
      const message = `The mean error is ${mean.toPrecision(3)}, ${formatTimes(ratio)} its baseline of ${baseline.meanError.toPrecision(3)}; allowed: ${limits.drift} times.`;
      return Number.isFinite(mean) ? { status: 'fail', message, ...numbers } : { status: 'fail', message };
    }
    return {
      status: 'pass',
      message: `The mean error is ${formatTimes(ratio)} its baseline.`,
      ...numbers,
    };
  },
};
