import { growthOfKernel } from '../algorithms/growth.ts';
import { isUnbounded } from '../fuzz/settle-fields.ts';
import { bitsBeside } from '../inputs/addend.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { sizeOfFactor } from '../matrix/factor.ts';
import { scalingOf } from '../matrix/gemm.ts';
import { assumed, type ZeroPointPlace } from '../precision/arithmetic.ts';
import { type Precision, withWholeNumbers } from '../precision/precision.ts';
import { type ClaimedSums, narrowestSums, unitOfParts } from '../precision/sums.ts';
import type { Case } from '../problem/case.ts';

/** Claims of a kernel on which the size of its bounds depends. */
export type PlannedClaims = ClaimedSums & {
  readonly arithmetic?: { readonly zeroPoints?: ZeroPointPlace | undefined } | undefined;
};

/** Largest bound, relative to a typical entry, that decides a case by itself. */
const PART = 0.05;

/** Least factor alpha, in units of the least normal number: products of entries below 1 then stay normal. */
const LEAST = 2 ** 10;

/**
 * True if a decisive check applies to a correct kernel that claims only its recursion levels. Its product is exact, or its errors are
 * random, or its bound is far below typical sums of terms of both signs, and these sums are finite. A sum of k terms of size 1 is typically
 * √k. The bound is k²·u where sums round by u, 2k·v where operands round by v, and k·w where sums of parts of k lose w.
 */
export const isDecided = (
  value: Case,
  items: CaseItems = builtinCaseItems,
  claims: PlannedClaims = {},
): boolean => isJudged(value, items, claims, true);

/** True if bounds alone decide a correct kernel: its product is exact, or its bound is far below typical sums. */
export const isBounded = (
  value: Case,
  items: CaseItems = builtinCaseItems,
  claims: PlannedClaims = {},
): boolean =>
  !isUnbounded(value.problem.edit) &&
  !value.problem.input.startsWith('wild') &&
  (items.precisions.find(value.problem.precision).accumulated.unitRoundoff === 0 ||
    isJudged(value, items, claims, false));

function isJudged(
  { kernel, problem, method: { levels } }: Case,
  items: CaseItems,
  claims: PlannedClaims,
  bySigmas: boolean,
): boolean {
  const { m, k, n, alpha } = problem;
  if (alpha === 0 || k === 0) return true;
  const claimed = items.precisions.find(problem.precision);
  const precision = { ...claimed, accumulated: narrowestSums(claimed, assumed) };
  if (sizeOfFactor(alpha) < LEAST * precision.d.minNormal) return false;
  const family = inputOf(problem, items.inputs);
  if (family.exactness === 'integers') {
    const { integerBits, precision: own } = precision.accumulated;
    const bits = bitsBeside(scalingOf(problem), Math.min(integerBits, own));
    const growth = growthOfKernel(kernel, items.algorithms);
    const whole = { levels, growth, precision: withWholeNumbers(precision, bits) };
    if (bits >= 1 && family.accepts({ m, k, n, ...whole }).ok) return true;
  }
  if (bySigmas && family.statistics === 'random' && k <= family.randomUpTo(precision)) return true;
  // Sums of codes, from which zero points are subtracted last, may be as large as the factor of a line of zeros makes them.
  if (claims.arithmetic?.zeroPoints === 'last' && family.exactness !== 'integers') return false;
  // Whole numbers fill sums. A format without numbers as large may make all results infinite, and then none is bounded.
  const isHeld =
    family.exactness !== 'integers' || 2 ** precision.accumulated.integerBits <= precision.d.maxFinite;
  return levels === 0 && isHeld && boundOf(precision, k) + unitOfParts(k, claims) * Math.sqrt(k) <= PART;
}

/** Returns the approximate bound of an entry relative to its size. */
function boundOf({ a, multiplied, accumulated }: Precision, k: number): number {
  const ofOperands = multiplied === a ? 0 : 2 * multiplied.unitRoundoff * Math.sqrt(k);
  return accumulated.unitRoundoff * k ** 1.5 + ofOperands;
}
