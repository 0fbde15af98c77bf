import { computeOnce } from '../../base/memo.ts';
import { makeNumbers, toJsonNumber } from '../../base/numbers.ts';
import { OURS } from '../../base/registry.ts';
import { largestOf } from '../../exact/sizes.ts';
import type { InputFamily } from '../../inputs/input.ts';
import type { RunningSum } from '../../precision/arithmetic.ts';
import { apartIn } from '../../readers/summation-stages.ts';
import { formatMagnitude } from '../../report/numbers.ts';
import { markEntries, resultIndexOf } from '../compared.ts';
import { type AnalysisInput, isAnalyzed, type MachineFacts } from '../evidence.ts';
import { beyondRange, Range } from '../overflow.ts';
import { type Check, failWithDiagnosis, NOT_ANALYSED, notApplicable } from './check.ts';

/** Check of the error against the expected error. */
export const sigma: Check = {
  name: 'sigma',
  what: 'Random data: is every error within a few sigmas (expected errors) of zero?',
  source: OURS,
  decisive: true,
  judges: 'entries',
  judge(evidence, limits) {
    const { operands, plan, machine } = evidence;
    const { family } = operands;
    if (family?.statistics !== 'random' || !isRandom(family, machine, plan.shape.k)) {
      return notApplicable('The rounding errors of this input are not random.');
    }
    if (!isAnalyzed(evidence)) return notApplicable(NOT_ANALYSED);
    if (!evidence.analysis.sigma.data.every(Number.isFinite)) {
      const message = 'No expected error is known: an intermediate value overflows or is NaN.';
      return { status: 'inconclusive', message };
    }
    const ratios = errorsInSigmas(evidence);
    const allowed = allowedSigmas(limits.sigmas, ratios.length);
    const worst = largestOf(ratios);
    const numbers = { found: toJsonNumber(worst), allowed };
    const typical = Math.sqrt(ratios.reduce((sum, ratio) => sum + ratio * ratio, 0) / ratios.length);
    const most = allowedTypical(limits.sigmas, ratios.length);
    if (worst <= allowed && typical > most) {
      const message = `The root mean square error is ${formatMagnitude(typical)} sigmas, allowed ${most.toPrecision(3)}; the worst error is ${worst.toPrecision(3)}. Likely cause: sums keep fewer bits than claimed.`;
      return { status: 'fail', message, found: typical, allowed: most };
    }
    if (worst <= allowed) {
      return { status: 'pass', message: `The worst error is ${worst.toFixed(2)} sigmas.`, ...numbers };
    }
    const wrong = markEntries(evidence, (entry) => !(ratios[entry] <= allowed));
    const message = `The worst error is ${formatMagnitude(worst)} sigmas, allowed ${Number(allowed.toPrecision(3))}`;
    return { ...failWithDiagnosis(message, evidence, wrong), ...numbers };
  },
};

/** True if sums of k terms are short enough for their errors to be random, claimed sums of fewer bits included. */
function isRandom({ randomUpTo }: InputFamily, { precision, sums }: MachineFacts, k: number): boolean {
  const { accumulated } = precision;
  const running = sums?.running ?? [];
  const upTo = (bits: number) =>
    randomUpTo({ ...precision, accumulated: { ...accumulated, precision: bits } });
  const isShort = ({ bits = accumulated.precision, promoted = k }: RunningSum) =>
    Math.min(k, promoted) <= upTo(Math.min(bits, accumulated.precision));
  const { added } = sums?.partial ?? {};
  const areFew =
    sums === undefined || added === undefined || apartIn(k, sums, {}).count <= upTo(added.precision);
  return k <= upTo(accumulated.precision) && running.every(isShort) && areFew;
}

/** Number of entries up to which the threshold applies unchanged. */
const ENTRIES = 2 ** 16;

/**
 * Returns the sigmas allowed in the worst of so many entries, T² = t² + 2 ln(entries / 2^16) with t = 6. It grows so that the chance of a
 * false alarm does not. An entry exceeds T sigmas with a chance of at most 2·exp(−T²/2), by Hoeffding's theorem. `alarm.ts` has the proof,
 * its assumptions, and the chance for a product: at most 2^17·exp(−18) = 2.0e-3, for 2500 entries 7.6e-5. The errors of 100 000 honest
 * products are in reports/selftest-swiftshader.
 *
 * Proved: no rounding error exceeds u·|v|, which the reader takes for its standard deviation. Assumed: errors have mean zero whatever came
 * before (Higham and Mary 2019). A claimed rounding with mean D has it in sigma, √(D² + σ²): beyond T·√(D² + σ²) the rest of the error is
 * beyond T·√(D² + σ²) − D ≥ √(T² − 1)·σ, and the chance of that is √e times as large at most. Assumed, too: partial sums are as large as
 * the reader expects them for random terms. So only inputs with random statistics are judged.
 */
export function allowedSigmas(threshold: number, entries: number): number {
  return Math.sqrt(threshold ** 2 + 2 * Math.log(Math.max(1, entries / ENTRIES)));
}

/** Number of entries from which their root mean square is meaningful. */
const MANY = 256;

/**
 * Returns the sigmas allowed in the root mean square of so many entries. Squares of errors in units of sigma have a mean of at most 1, and
 * for normal errors a deviation of √2: t deviations of their mean are t·√(2/entries). The chance to exceed that is at most 5.5e-6 for 256
 * entries, 1.5e-8 for many (`alarm.ts`). Rounding to nearest stays far below: u·|v| is the largest error, uniform errors have 1/√3 of it,
 * and those of sums anywhere in a binade 0.42 sigmas. So sums of two bits fewer are seen, although the worst of few entries may still be
 * below six sigmas.
 */
export function allowedTypical(threshold: number, entries: number): number {
  return entries < MANY ? Number.POSITIVE_INFINITY : Math.sqrt(1 + threshold * Math.sqrt(2 / entries));
}

/** Smaller sigmas are roots of squares that underflow in double; errors as small are left to the bound. */
const LEAST = 2 ** -500;

const known = new WeakMap<AnalysisInput, Float64Array>();

/**
 * Returns every error in units of its sigma, computed once for an `evidence`, which does not change. An error of 0 gives 0; an error where
 * none is expected, or a NaN, gives infinity.
 */
export const errorsInSigmas = (evidence: AnalysisInput): Float64Array =>
  computeOnce(known, evidence, () => makeNumbers(evidence.reference.value.length, sigmasOf(evidence)));

/** Returns a function that gives the error of an entry as {@link errorsInSigmas}. */
export function sigmasOf(evidence: AnalysisInput): (e: number) => number {
  const { outcomes, reference, analysis } = evidence;
  const { data } = outcomes[0].c;
  const { value, low } = reference;
  const sigmas = analysis.sigma.data;
  const ranges = beyondRange(evidence);
  return (e) => {
    if (!Number.isFinite(value[e]) || ranges[e] === Range.right || ranges[e] === Range.exactly) return 0;
    const error = Math.abs(data[resultIndexOf(reference, e)] - value[e] - low[e]);
    if (error === 0 || (error < LEAST && sigmas[e] < LEAST)) return 0;
    const ratio = error / sigmas[e];
    return Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
  };
}
