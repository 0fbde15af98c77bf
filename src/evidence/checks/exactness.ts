import { toJsonNumber } from '../../base/numbers.ts';
import { OURS } from '../../base/registry.ts';
import { roundSum } from '../../base/rounding.ts';
import { isScaled, readsAddend } from '../../matrix/gemm.ts';
import { readsFactors } from '../../matrix/members.ts';
import { hasMinima } from '../../precision/coding/coding.ts';
import { resultErrorOf } from '../../precision/device-errors.ts';
import { leafErrors } from '../../readers/leaf-sums.ts';
import { inflectVerb } from '../../report/numbers.ts';
import { type Evidence, isClassical, judgedText } from '../evidence.ts';

import { eachCompared } from '../measures.ts';
import { type Check, failWithDiagnosis, notApplicable } from './check.ts';

/**
 * Check with zero tolerance, for inputs on which no rounding can happen.
 *
 * The result is the exact product in any order of the sum, fused or not, so the chance of a false alarm is zero. Where results are
 * narrower than sums, it is the exact product rounded once.
 */
export const exactness: Check = {
  name: 'exact',
  what: 'Inputs with exact sums: is every entry the exact product?',
  source: OURS,
  decisive: true,
  judges: 'entries',
  judge(evidence) {
    const why = whyMayRound(evidence);
    if (why !== undefined) return notApplicable(why);
    const { errors, outcomes, reference } = evidence;
    const { max, entries } = errors.exact;
    const [{ c }] = outcomes;
    const rounding = resultErrorOf(evidence.machine);
    const wrong = new Uint8Array(c.data.length);
    eachCompared(c, reference, (i, j, computed, value, low) => {
      const expected = rounding === undefined ? value : roundSum(value, low, rounding.round);
      // The value is NaN where a number is too large for results.
      if (computed !== expected && !Object.is(computed, expected)) wrong[i * c.cols + j] = 1;
    });
    const unequal = wrong.reduce((sum, one) => sum + one, 0);
    const numbers = rounding === undefined ? { found: toJsonNumber(max), allowed: 0 } : {};
    const what = `the exact product${rounding === undefined ? '' : `, rounded once to ${evidence.machine.precision.d.name}`}`;
    if (unequal === 0) {
      const which = reference.at === undefined ? '' : ' that were compared';
      return {
        status: 'pass',
        message: `All ${entries} entries${which} equal ${what}${judgedText(evidence.judgedBy)}.`,
        ...numbers,
      };
    }
    const which = wrong.length === 1 ? 'The only entry of C' : `${unequal} of ${entries} entries`;
    const message = `${which} ${inflectVerb(unequal, 'differ')} from ${what}`;
    return { ...failWithDiagnosis(message, evidence, wrong), ...numbers };
  },
};

/** The facts about a product from which it follows whether sums may be rounded. */
export type ExactnessFacts = Pick<Evidence, 'operands' | 'machine' | 'gemm' | 'claims' | 'plan'>;

/** True if only complete sums are rounded, whatever the input: the sums of the precision are exact. */
function isRoundedOnce(evidence: ExactnessFacts): boolean {
  const { machine, gemm } = evidence;
  const { a, multiplied, accumulated } = machine.precision;
  const areExact = accumulated.unitRoundoff === 0 && leafErrors(machine, gemm.k).loss === 0;
  const isLast = areExact && multiplied === a && resultErrorOf(machine) !== undefined;
  return isLast && isClassical(evidence) && !isScaled(gemm);
}

/** True if the claimed rounding of results leaves the choice between two neighbors open. */
const isEitherNeighbor = ({ result }: Evidence['machine']): boolean =>
  result?.rounding === 'faithful' || result?.rounding === 'stochastic';

const hasZeroPoints = ({ coded: { a, b } = {} }: Evidence['operands']): boolean =>
  [a, b].some((one) => one?.coded.zeros?.data.some((x) => x !== 0) === true);

const areLessMinima = ({ precision: { coded = {} } }: Evidence['machine']): boolean =>
  [coded.a, coded.b].some((coding) => coding !== undefined && hasMinima(coding));

/** Returns the reason for which a product need not be exact, as a sentence; undefined where no rounding can happen. */
export function whyMayRound(evidence: ExactnessFacts): string | undefined {
  const { operands, machine, gemm } = evidence;
  // No operand is read, and all of D is 0.
  if (!readsFactors(gemm) && !readsAddend(gemm)) return undefined;
  const exactness = operands.family?.exactness;
  const staysExact = operands.staysExact !== false;
  const isWhole = exactness === 'integers' && staysExact;
  const { accumulated, multiplied } = machine.precision;
  // Sums that are claimed in fewer bits round even a single product.
  const isKept = accumulated.integerBits >= multiplied.integerBits;
  const held =
    isRoundedOnce(evidence) ||
    isWhole ||
    (exactness === 'classical' && staysExact && isClassical(evidence) && !isScaled(gemm) && isKept);
  if (!held) return 'Rounding is expected on this input.';
  if (machine.zeroPoints === 'last' && (hasZeroPoints(operands) || areLessMinima(machine)))
    return 'Zero points are subtracted from sums, which may have been rounded.';
  if (isEitherNeighbor(machine)) return 'The kernel claims that results may be either neighbor of a sum.';
  return operands.hasSubnormals === true && machine.arithmetic.subnormals !== 'kept'
    ? 'This input has subnormals, and the device flushes them.'
    : undefined;
}
