import { growthOfKernel } from '../algorithms/shared-growth.ts';
import { bitsBeside } from '../inputs/addend.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import { sizeOfFactor } from '../matrix/factor.ts';
import { assumed } from '../precision/arithmetic.ts';
import { type Precision, withWholeNumbers } from '../precision/precision.ts';
import { narrowestSums } from '../precision/sums.ts';
import type { Case } from '../problem/case.ts';
import { scalingOf } from '../problem/gemm-of.ts';

/** The part of a typical entry that its bound may be, where nothing else decides. */
const PART = 0.05;

/** A factor of so many times the least normal number leaves products of entries below 1 normal. */
const LEAST = 2 ** 10;

/**
 * Whether some check decides a case of an honest kernel of no claims but levels: its product is exact, or its errors are random, or its bound is
 * far below what sums of both signs leave of their terms, and results hold these. Of k terms of size 1 these are √k, and the bound is k²·u where sums
 * round by u, and 2k·v where operands do by v.
 */
export function isDecided(
  { kernel, problem, method: { levels } }: Case,
  items: CaseItems = builtinCaseItems,
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
  if (family.statistics === 'random' && k <= family.randomUpTo(precision)) return true;
  // Whole numbers fill sums: where results hold none as large, all may be infinite, and none is bounded.
  const isHeld =
    family.exactness !== 'integers' || 2 ** precision.accumulated.integerBits <= precision.d.maxFinite;
  return levels === 0 && isHeld && boundOf(precision, k) <= PART;
}

/** The bound of an entry beside its size, roughly. */
function boundOf({ a, multiplied, accumulated }: Precision, k: number): number {
  const ofOperands = multiplied === a ? 0 : 2 * multiplied.unitRoundoff * Math.sqrt(k);
  return accumulated.unitRoundoff * k ** 1.5 + ofOperands;
}
