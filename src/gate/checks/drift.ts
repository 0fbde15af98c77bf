import { type Check, notApplicable } from './check.ts';

/** The error against what the same case gave on the same adapter before. */
export const drift: Check = {
  name: 'drift',
  asks: 'Has the mean error grown since the baseline was recorded on this adapter?',
  decisive: false,
  judge({ measures }, { baseline, thresholds }) {
    if (baseline === undefined)
      return notApplicable('No baseline is recorded for this case on this adapter.');
    const { mean } = measures.exact;
    const ratio = mean === baseline.meanError ? 1 : mean / baseline.meanError;
    const numbers = { found: mean, allowed: thresholds.drift * baseline.meanError };
    if (!(ratio <= thresholds.drift)) {
      const message = `The mean error ${mean.toPrecision(3)} is ${ratio.toPrecision(3)} times its baseline ${baseline.meanError.toPrecision(3)}.`;
      return Number.isFinite(mean) ? { status: 'fail', message, ...numbers } : { status: 'fail', message };
    }
    return {
      status: 'pass',
      message: `The mean error is ${ratio.toPrecision(3)} times its baseline.`,
      ...numbers,
    };
  },
};
