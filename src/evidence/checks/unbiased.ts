import { largestOf } from '../../exact/sizes.ts';
import { isScaled } from '../../matrix/gemm.ts';
import { resultErrorOf } from '../../precision/device-errors.ts';
import { placeOf } from '../compared.ts';
import type { Evidence } from '../evidence.ts';
import { type Check, NOT_ANALYSED, notApplicable } from './check.ts';

/** Entries from which the chance of a false alarm is what is said of it. */
const ENTRIES = 256;

/**
 * Of what is rounded at random the errors of two runs have nothing in common: the mean of their product, entry by entry, is
 * the square of a bias, or of whatever else is the same in both. With r and r' the errors of N entries in units of the error
 * to expect, T = Σ r·r'/√N.
 *
 * Each rounding is off by one of two neighbours, 2u·|v| apart at most, with mean zero whatever came before (Connolly, Higham,
 * Mary 2021): so r and r' are independent and E exp(λr) ≤ exp(λ²/2) (Azuma, Hoeffding), whence E exp(λ·r·r') ≤ (1 − λ²)^(−1/2)
 * and P(T > t) ≤ exp(−λt√N)·(1 − λ²)^(−N/2): for t = 6, N = 256 and λ = 0.3 below 2e-7, and less for more. Rounding to nearest
 * has T near 0.15·√N.
 */
export const unbiased: Check = {
  name: 'unbiased',
  what: 'Of what is claimed to be rounded at random: have the errors of two runs nothing in common?',
  source:
    'after Connolly, Higham, Mary 2021, Stochastic rounding and its probabilistic backward error analysis',
  decisive: false,
  judges: 'product',
  judge(evidence, limits) {
    const { claims, operands, plan, machine, outcomes, analysis } = evidence;
    const [first, again] = outcomes;
    if (claims.arithmetic?.rounding !== 'stochastic')
      return notApplicable('It does not claim to round at random.');
    if (again === undefined) return notApplicable('This case is multiplied once.');
    const { family } = operands;
    if (family?.statistics !== 'random' || plan.shape.k > family.randomUpTo(machine.precision)) {
      return notApplicable('The rounding errors of this input are not random.');
    }
    if (!areHeld(evidence))
      return notApplicable('Two runs round the same operands or results in the same way.');
    if (analysis === undefined) return notApplicable(NOT_ANALYSED);
    const products = [first, again].map(({ c }) => signedErrors(evidence, c.data, analysis.sigma.data));
    const entries = analysis.sigma.data.length;
    if (entries < ENTRIES || products.some((one) => !Number.isFinite(largestOf(one.map(Math.abs))))) {
      return notApplicable(
        `Fewer than ${ENTRIES} entries, or some without an error to expect, tell nothing.`,
      );
    }
    const [mine, other] = products;
    const common = mine.reduce((sum, x, e) => sum + x * other[e], 0) / Math.sqrt(entries);
    const numbers = { found: common, allowed: limits.sigmas };
    const said = `the errors of two runs have ${common.toFixed(2)} in common`;
    if (common <= limits.sigmas) return { status: 'pass', message: `In sigmas, ${said}.`, ...numbers };
    const message = `It does not round at random, or with a bias: in sigmas, ${said}, where ${limits.sigmas} are allowed.`;
    return { status: 'fail', message, ...numbers };
  },
};

/** True if sums alone are rounded: what rounding operands costs, or sums that are alike by alpha, beta or the format of results, is the same in every run. */
function areHeld({ operands, machine, gemm }: Evidence): boolean {
  const { a, multiplied } = machine.precision;
  const isLast = resultErrorOf(machine) === undefined || machine.result?.rounding === 'stochastic';
  const isHeld = (x: number) => multiplied.round(x) === x;
  const isAsIs = multiplied === a || [operands.a, operands.b].every(({ data }) => data.every(isHeld));
  return isLast && isAsIs && !isScaled(gemm);
}

/** The error of each entry, over the one to expect; 0 where there is none. */
const signedErrors = (
  { reference }: Evidence,
  computed: ArrayLike<number>,
  sigma: Float64Array,
): Float64Array =>
  sigma.map((expected, e) => {
    const error = computed[placeOf(reference, e)] - reference.value[e] - reference.low[e];
    return error === 0 ? 0 : error / expected;
  });
