import { toReal } from '../../base/real.ts';
import { OURS } from '../../base/registry.ts';
import { largestOf } from '../../exact/sizes.ts';
import { marked, placeOf } from '../compared.ts';
import { diagnose } from '../diagnose.ts';
import type { Analysed } from '../evidence.ts';
import { beyondRange } from '../overflow.ts';
import { type Check, NOT_ANALYSED, notApplicable } from './check.ts';

/** The error against the error to expect. */
export const sigma: Check = {
  name: 'sigma',
  what: 'On random data, is every error within a few sigmas of what the plan makes one expect?',
  source: OURS,
  decisive: true,
  judge(evidence, limits) {
    const { operands, plan, machine, analysis } = evidence;
    const { family } = operands;
    if (family?.statistics !== 'random' || plan.shape.k > family.randomUpTo(machine.precision)) {
      return notApplicable('The rounding errors of this input are not random.');
    }
    if (analysis === undefined) return notApplicable(NOT_ANALYSED);
    if (!analysis.sigma.data.every(Number.isFinite)) {
      const message = 'No error can be expected: an intermediate value overflows or is not a number.';
      return { status: 'inconclusive', message };
    }
    const ratios = sigmas({ ...evidence, analysis });
    const allowed = allowedSigmas(limits.sigmas, ratios.length);
    const worst = largestOf(ratios);
    const numbers = { found: toReal(worst), allowed };
    const typical = Math.sqrt(ratios.reduce((sum, ratio) => sum + ratio * ratio, 0) / ratios.length);
    const most = allowedTypical(limits.sigmas, ratios.length);
    if (worst <= allowed && typical > most) {
      const message = `The root mean square of all errors is ${typical.toPrecision(3)} sigmas where ${most.toPrecision(3)} are allowed, though none exceeds ${worst.toPrecision(3)}: sums of fewer bits than are claimed have such.`;
      return { status: 'fail', message, found: typical, allowed: most };
    }
    if (worst <= allowed) {
      return { status: 'pass', message: `The worst error is ${worst.toFixed(2)} sigmas.`, ...numbers };
    }
    const wrong = marked(evidence, (entry) => !(ratios[entry] <= allowed));
    const { text, looksLike } = diagnose(evidence, wrong);
    const message = `The worst error is ${worst.toPrecision(3)} sigmas where ${Number(allowed.toPrecision(3))} are allowed: ${text}.`;
    return { status: 'fail', message, ...numbers, looksLike };
  },
};

/** Entries up to which the threshold holds as it is given. */
const ENTRIES = 2 ** 16;

/**
 * The sigmas allowed in the worst of so many entries: T grows like the maximum of independent normal errors,
 * T² = t² + 2 ln(entries / 2^16), so that the chance of a false alarm stays what t = 6 makes it for 2^16 entries:
 * below 2^16·2·Q(6) = 1.3e-4; of so few as 2500, below 5e-6.
 *
 * The model is on the safe side: the reader takes u·|v̂| for the standard deviation of a rounding error, which is the
 * largest that rounding to nearest can make; were errors uniform, theirs would be u·|v̂|/√3 at most. Without normality,
 * errors that are independent, have mean zero and are bounded so exceed t sigmas with a chance of at most
 * 2·exp(−t²/2) an entry (Hoeffding 1963, Theorem 2; Higham and Mary 2019): 3.0e-8 for t = 6. That takes the sizes of
 * partial sums as the reader expects them of random signs, which is why only inputs with random statistics are judged.
 */
export function allowedSigmas(threshold: number, entries: number): number {
  return Math.sqrt(threshold ** 2 + 2 * Math.log(Math.max(1, entries / ENTRIES)));
}

/** Entries from which their root mean square says something. */
const MANY = 256;

/**
 * The sigmas allowed in the root mean square of so many entries. Squares of errors in units of sigma have a mean of at most 1,
 * and of normal errors a deviation of √2: t deviations of their mean are t·√(2/entries). Rounding to nearest stays far below:
 * u·|v| is the largest error, and errors that are uniform have 1/√3 of it, those of sums anywhere in a binade 0.42 sigmas.
 * (Of 1800 honest products of every algorithm, precision and random input the largest was 0.54.) So what two bits fewer make
 * of sums is seen, while the worst of few entries may still be below six sigmas.
 */
function allowedTypical(threshold: number, entries: number): number {
  return entries < MANY ? Number.POSITIVE_INFINITY : Math.sqrt(1 + threshold * Math.sqrt(2 / entries));
}

/** Every error in units of its sigma. No error is 0; an error where none is expected, or a NaN, is infinite. */
export function sigmas(evidence: Analysed): Float64Array {
  const { outcomes, reference, analysis } = evidence;
  const { data } = outcomes[0].c;
  const ratios = new Float64Array(reference.value.length);
  for (let e = 0; e < ratios.length; e++) {
    const value = reference.value[e];
    if (!Number.isFinite(value) || beyondRange(evidence, e) === 'right') continue;
    const error = Math.abs(data[placeOf(reference, e)] - value - reference.low[e]);
    if (error === 0) continue;
    const ratio = error / analysis.sigma.data[e];
    ratios[e] = Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
  }
  return ratios;
}
