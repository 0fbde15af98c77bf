import { OURS } from '../../base/registry.ts';
import { largestOf } from '../../exact/sizes.ts';
import { isScaled } from '../../matrix/gemm.ts';
import { resultErrorOf } from '../../precision/device-errors.ts';
import { resultIndexOf } from '../compared.ts';
import type { Evidence } from '../evidence.ts';
import { type Check, NOT_ANALYSED, notApplicable } from './check.ts';

/** Check that the same product, computed again, has the same bits. */
export const repeatable: Check = {
  name: 'repeatable',
  what: 'Does the same product give the same bits every time?',
  source: OURS,
  decisive: false,
  judges: 'product',
  judgesEpilogues: true,
  judge(evidence) {
    const {
      claims,
      outcomes: [product, again],
    } = evidence;
    if (claims.deterministic === false) return notApplicable('The kernel claims deterministic: false.');
    if (again === undefined) return notApplicable('This case ran once.');
    const [first, second] = [product.c.data, again.c.data];
    const differs = (e: number) => !Object.is(first[e], second[e]);
    let at = 0;
    while (at < first.length && !differs(at)) at++;
    if (at === first.length) return { status: 'pass', message: 'The same product gave the same bits again.' };
    const other = Uint8Array.from(first, (_, e) => Number(differs(e)));
    const count = other.reduce((sum, one) => sum + one, 0);
    const { m, n, batch } = evidence.gemm;
    const row = Math.floor(at / n);
    const place = `(${row % m}, ${at % n})${batch === 1 ? '' : ` of product ${Math.floor(row / m)}`}`;
    const runs = `The same product was computed twice, with different bits${again.when ? `; the second time ${again.when}` : ''}.`;
    const values = `was first ${first[at]}, then ${second[at]}.`;
    const says = (where: string) =>
      count === 1
        ? `${runs} 1 of ${first.length} entries differs: entry ${place} ${values}`
        : `${runs} ${count} of ${first.length} entries differ${where}. Entry ${place} ${values}`;
    return {
      status: 'fail',
      message: says(''),
      explain: ({ describeWrong }) => ({ message: says(`: ${describeWrong(evidence, other)}`) }),
    };
  },
};

/** Number of entries from which the stated chance of a false alarm holds. */
const ENTRIES = 256;

/**
 * Check that the errors of two runs with stochastic rounding are independent. The mean of the product of both errors, entry by entry, is
 * the square of a bias, or of any other error that both runs share. With r and r' the errors of N entries in units of the expected error,
 * T = Σ r·r'/√N.
 *
 * Each rounding is off by one of two neighbors, 2u·|v| apart at most, with mean zero whatever came before (Connolly, Higham, Mary 2021).
 * So r and r' are independent and E exp(λr) ≤ exp(λ²/2) (Azuma, Hoeffding), whence E exp(λ·r·r') ≤ (1 − λ²)^(−1/2) and P(T > t) ≤
 * exp(−λt√N)·(1 − λ²)^(−N/2): for t = 6, N = 256 and λ = 0.3 below 2e-7, and less for more. Rounding to nearest has T near 0.15·√N.
 */
export const unbiased: Check = {
  name: 'unbiased',
  what: 'Stochastic rounding: are the errors of two runs uncorrelated?',
  source:
    'after Connolly, Higham, Mary 2021, Stochastic rounding and its probabilistic backward error analysis',
  decisive: false,
  judges: 'product',
  judge(evidence, limits) {
    const { claims, operands, plan, machine, outcomes, analysis } = evidence;
    const [first, again] = outcomes;
    if (claims.arithmetic?.rounding !== 'stochastic')
      return notApplicable('The kernel does not claim stochastic rounding.');
    if (again === undefined) return notApplicable('This case ran once.');
    const { family } = operands;
    if (family?.statistics !== 'random' || plan.shape.k > family.randomUpTo(machine.precision)) {
      return notApplicable('The rounding errors of this input are not random.');
    }
    if (!areHeld(evidence))
      return notApplicable('Operands or results are rounded in the same way in both runs.');
    if (analysis === undefined) return notApplicable(NOT_ANALYSED);
    const products = [first, again].map(({ c }) => signedErrors(evidence, c.data, analysis.sigma.data));
    const entries = analysis.sigma.data.length;
    if (entries < ENTRIES || products.some((one) => !Number.isFinite(largestOf(one.map(Math.abs))))) {
      return notApplicable(`The test needs at least ${ENTRIES} entries, each with an expected error.`);
    }
    const [mine, other] = products;
    const common = mine.reduce((sum, x, e) => sum + x * other[e], 0) / Math.sqrt(entries);
    const numbers = { found: common, allowed: limits.sigmas };
    const said = `the correlation of the errors of two runs is ${common.toFixed(2)} sigmas`;
    if (common <= limits.sigmas)
      return { status: 'pass', message: `${said[0].toUpperCase()}${said.slice(1)}.`, ...numbers };
    const message = `The rounding is not random, or is biased: ${said}, allowed ${limits.sigmas}.`;
    return { status: 'fail', message, ...numbers };
  },
};

/** True if only sums are rounded. Errors of rounding operands, or of alpha, beta or the format of results, are the same in every run. */
function areHeld({ operands, machine, gemm }: Evidence): boolean {
  const { a, multiplied } = machine.precision;
  const isLast = resultErrorOf(machine) === undefined || machine.result?.rounding === 'stochastic';
  const isHeld = (x: number) => multiplied.round(x) === x;
  const isAsIs = multiplied === a || [operands.a, operands.b].every(({ data }) => data.every(isHeld));
  return isLast && isAsIs && !isScaled(gemm);
}

/** Returns the signed error of each entry over its expected error; 0 where there is no error. */
const signedErrors = (
  { reference }: Evidence,
  computed: ArrayLike<number>,
  sigma: Float64Array,
): Float64Array =>
  sigma.map((expected, e) => {
    const error = computed[resultIndexOf(reference, e)] - reference.value[e] - reference.low[e];
    return error === 0 ? 0 : error / expected;
  });
