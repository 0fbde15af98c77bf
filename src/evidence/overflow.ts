import { computeOnce } from '../base/memo.ts';
import { resultErrorOf, unitRoundoffOf } from '../precision/device-errors.ts';
import { isWholeFormat } from '../precision/format.ts';
import { alphaAt, enteringErrorOf, isOfResults } from '../readers/convention.ts';
import { leafErrors } from '../readers/leaf-sums.ts';
import { resultIndexOf } from './compared.ts';
import { type AnalysisInput, type Evidence, isClassical } from './evidence.ts';
import { mayBecome, type PossibleSpecials } from './may-become.ts';

/** The facts needed to tell which entries may overflow. */
export type OverflowInput = Omit<AnalysisInput, 'analysis'> & Pick<Evidence, 'analysis'>;

/** The terms of an entry: the sums of the finite ones, times 2^-1040, and the special ones that are present or possible. */
interface Terms {
  readonly plus: number;
  readonly minus: number;
  readonly hasPlusInfinity: boolean;
  readonly hasMinusInfinity: boolean;
  readonly hasNaN: boolean;
  /** Special terms that arise where finite numbers become zero or infinite before they are multiplied. */
  readonly may: { readonly plus: boolean; readonly minus: boolean; readonly nan: boolean };
}

/** The scale of both factors of a term: products of binary64 numbers then do not overflow, and underflow is negligible beside a limit. */
const SCALE = 2 ** -520;

/** The relation of a compared entry to the format's largest number. */
export const Range = {
  /** The entry is compared with its bound. */
  within: 0,
  /** The entry is beyond the range, as in some order of its sums. */
  right: 1,
  /** The entry is as in no order of its sums. */
  wrong: 2,
  /** The entry is beyond the range, with the value of every order of its sums. */
  exactly: 3,
} as const;

const known = new WeakMap<OverflowInput, Uint8Array>();

/**
 * Returns the {@link Range} of every compared entry, computed once for an `evidence`, which does not change: whether it or its exact value is beyond the format's largest number, and rightly so.
 *
 * Let P and N be the sums of the positive and of the negative terms of α·a·b and β·c, and g the loss of sums, 4u and the cost of rounding
 * operands. The positive terms first overflow where P·(1 + g) reaches the largest number, and +∞ then stays; likewise −∞. NaN follows from
 * both, in partial sums that are added last. Where |P − N| less g·(P + N) is above the largest number, every order overflows. Sums that
 * are scaled by α last overflow from P/|α| on, unless entries are claimed to be scaled.
 *
 * Complete sums that are rounded to a narrower format overflow there, where P − N itself does, to the format's own special value:
 * infinity, NaN, or the largest number where that is claimed. So do infinities of partial sums. Where infinities are claimed to become
 * NaN, either may stand there. For a fast algorithm whose bound is not finite no range is known; an entry may be infinite or NaN where its
 * reach ({@link Analysis.reach}) comes to the largest number.
 *
 * A sum that is not rounded to nearest may stay at the largest number L (IEEE 754-2019, §7.4; one of the sum's neighbors is L). Then entries
 * lie between min(P − N − g·(P + N), (1 − g)·L − (1 + g)·N) and its mirror image. So does every node of the tree of a sum, with the terms
 * below it, by induction, since v₁ + v₂ ≥ min(s₁ + s₂, s₁ + L − N₂, s₂ + L − N₁, 2L − N) ≥ min(s, L − N) up to roundings.
 */
export const beyondRange = (evidence: OverflowInput): Uint8Array =>
  computeOnce(known, evidence, compareWithRange);

function compareWithRange(evidence: OverflowInput): Uint8Array {
  const { outcomes, reference, machine } = evidence;
  const { value } = reference;
  const { data } = outcomes[0].c;
  const { accumulated, d } = machine.precision;
  const largest = Math.min(accumulated.maxFinite, d.maxFinite);
  const areWhole = isWholeFormat(accumulated);
  const rangeOf = areWhole
    ? ofWholeNumbers(evidence)
    : isClassical(evidence) || evidence.plan.levels === 0
      ? ofTerms(evidence, largest)
      : ofBound(evidence, largest);
  const mayStay = areWhole ? () => false : staysAtLargest(evidence);
  const isAllIn = areWhole && isRoomy(evidence);
  const saturated = machine.result?.overflow === 'saturate' ? d.maxFinite : Number.NaN;
  const ranges = new Uint8Array(value.length);
  for (let e = 0; e < ranges.length; e++) {
    const place = resultIndexOf(reference, e);
    const found = data[place];
    const isIn = areWhole ? isAllIn : Math.abs(value[e]) <= largest && !mayStay(e);
    if (!Number.isFinite(found) || !isIn || Math.abs(found) === saturated)
      ranges[e] = rangeOf(e, place, found);
  }
  return ranges;
}

type RangeOf = (e: number, place: number, found: number) => number;

function ofBound({ analysis, reference, machine }: OverflowInput, largest: number): RangeOf {
  const overflowed = overflowOf(machine);
  const { maxFinite } = machine.precision.accumulated;
  const up = 1 + 8 * unitRoundoffOf(machine);
  const isNearest = areNearest(machine);
  return (e, _, found) => {
    const bound = analysis?.bound.data[e] ?? Number.NaN;
    if (!Number.isFinite(bound)) return Range.right;
    const reach = analysis?.reach?.data[e] ?? 0;
    const isOverflow = !Number.isFinite(found) || !isNearest || Math.abs(found) === Math.abs(overflowed(1));
    if (!(reach * up < maxFinite) && isOverflow) return Range.right;
    const exact = reference.value[e];
    const may = Math.abs(exact) + bound >= largest && Object.is(found, overflowed(Math.sign(exact)));
    return may ? Range.right : Range.within;
  };
}

/** True if every sum is rounded to nearest, in each of the ways that the kernel may add. */
const areNearest = ({ arithmetic, sums }: OverflowInput['machine']): boolean =>
  (sums?.running ?? [arithmetic]).every(({ rounding }) => rounding === 'nearest');

/** True if x is the largest number and results are claimed to saturate. */
export const isSaturated = ({ precision: { d }, result }: OverflowInput['machine'], x: number): boolean =>
  result?.overflow === 'saturate' && Math.abs(x) === d.maxFinite;

/** Returns the result that a sum beyond the largest number becomes, by its sign. */
function overflowOf({ precision, result }: OverflowInput['machine']): (sign: number) => number {
  const round = resultErrorOf({ precision, result })?.round ?? (() => Number.POSITIVE_INFINITY);
  const special = round(Number.MAX_VALUE);
  return (sign) => sign * special;
}

/** True if no sum of whole numbers leaves its range, whatever the operands. */
function isRoomy({ machine: { precision }, gemm: { k, alpha, beta } }: OverflowInput): boolean {
  const { a, b, accumulated } = precision;
  return beta === 0 && Math.abs(alpha) * k * (a.maxFinite + 1) * (b.maxFinite + 1) <= accumulated.maxFinite;
}

/**
 * Whole numbers are exact, wrap or saturate. A sum whose terms together stay in range has only one value. A sum that saturates in some
 * order of terms of both signs may be any value within the sums of either sign.
 */
function ofWholeNumbers(evidence: OverflowInput): RangeOf {
  const { reference, machine } = evidence;
  const { maxFinite: most } = machine.precision.accumulated;
  const least = -most - 1;
  const exactlyIf = (holds: boolean) => (holds ? Range.exactly : Range.wrong);
  return (e, place, found) => {
    const exact = reference.value[e] + reference.low[e];
    if (!Number.isFinite(found)) return Range.wrong;
    if (machine.result?.overflow === 'wraps') return exactlyIf(found === (exact | 0));
    if (machine.result?.overflow !== 'saturate') return Range.within;
    const { plus, minus } = termsOf(evidence, place);
    const isOneSided = plus === 0 || minus === 0;
    if (isOneSided) return exactlyIf(found === Math.min(most, Math.max(least, exact)));
    return plus / SCALE ** 2 <= most && minus / SCALE ** 2 <= -least ? Range.within : Range.right;
  };
}

/** Returns the largest factor by which scaling sums last extends the reach of terms. */
function unscaledBy({ gemm: { alpha, imaginary }, claims }: OverflowInput): number {
  if (alphaAt(claims) === 'first') return 1;
  const byAlpha = Math.abs(alpha) + Math.abs(imaginary?.alpha ?? 0);
  return Math.max(1, 1 / (byAlpha === 0 ? 1 : byAlpha));
}

/** Returns the relative error that roundings may add to sums. */
function lossOf({ machine, gemm: { k }, claims }: OverflowInput): number {
  const u = unitRoundoffOf(machine);
  const operand = 1 + (enteringErrorOf(machine, claims)?.relative ?? 0);
  return ((1 + leafErrors(machine, k).loss + 4 * u) * operand ** 2 - 1) * 1.01;
}

/**
 * Returns the relative gain that a sum may have over its terms before it stays at the largest number. With truncation only operands that
 * are rounded up add to it, since no partial sum is beyond the terms of its sign. Where a bound proves nothing, the gain is 1.
 */
function gainOf({ machine, claims }: OverflowInput, loss: number): number {
  const operand = 1 + (enteringErrorOf(machine, claims)?.relative ?? 0);
  return machine.arithmetic.rounding === 'toward-zero'
    ? operand ** 2 * (1 + 2 ** -40) - 1
    : Math.min(1, loss);
}

/** Returns a predicate on compared entries: true if a sum of the entry may stay at the largest number. */
function staysAtLargest(evidence: OverflowInput): (e: number) => boolean {
  const { machine, reference } = evidence;
  if (areNearest(machine)) return () => false;
  const reach =
    machine.precision.accumulated.maxFinite / unscaledBy(evidence) / (1 + gainOf(evidence, lossOf(evidence)));
  return (e) => reference.size[e] >= reach;
}

function ofTerms(evidence: OverflowInput, largest: number): RangeOf {
  const { reference, machine, gemm, claims } = evidence;
  if (!machine.arithmetic.exceptions) return () => Range.right;
  const isBeyond = (x: number) => !(Math.abs(x) <= largest);
  const ofResult = largest * SCALE * SCALE;
  const rounding = resultErrorOf(machine);
  // Sums that are rounded before alpha and beta are applied overflow there.
  const isRounded = rounding !== undefined && isOfResults(claims);
  const limit = isRounded ? ofResult : machine.precision.accumulated.maxFinite * SCALE * SCALE;
  const u = unitRoundoffOf(machine);
  const g = lossOf(evidence) + (isRounded ? 8 * rounding.relative : 0);
  const unscaled = unscaledBy(evidence);
  const reaches = (sum: number) => sum * unscaled * (1 + g) >= limit;
  const isNearest =
    rounding === undefined ? areNearest(machine) : (machine.result?.rounding ?? 'nearest') === 'nearest';
  const past = 1 + 4 * u + 2 * (rounding?.relative ?? 0);
  const overflowed = overflowOf(machine);
  const isSpecial = rounding !== undefined && !Number.isFinite(overflowed(1));
  const isNaNForInfinity = Number.isNaN(overflowed(1)) || claims.arithmetic?.exceptions === 'nan';
  // Truncated operands beyond the range are its largest number.
  const isCut = ({ may }: Terms) => machine.operands?.rounding === 'toward-zero' && (may.plus || may.minus);
  // A kernel may have fewer parts than it claims, and sums of parts may be wider than parts.
  const isWide = machine.sums?.partial !== undefined;
  const surelyOf = (terms: Terms) =>
    !isWide &&
    !isCut(terms) &&
    Math.abs(terms.plus - terms.minus) - g * (terms.plus + terms.minus) > ofResult * past;
  const rightIf = (holds: boolean) => (holds ? Range.right : Range.wrong);
  const mayOf = ({ plus, minus, hasPlusInfinity, hasMinusInfinity, may }: Terms) => ({
    plus: hasPlusInfinity || may.plus || reaches(plus),
    minus: hasMinusInfinity || may.minus || reaches(minus),
  });
  const mayBe = (terms: Terms) => terms.hasNaN || terms.may.nan || mayOf(terms).plus || mayOf(terms).minus;
  const becomes = mayBecome(machine, gemm.alpha, claims);
  const stays = (sum: number) => sum * unscaled * (1 + gainOf(evidence, g)) >= limit;
  const factors = [gemm.alpha, gemm.imaginary?.alpha ?? 0].map(Math.abs).filter((factor) => factor > 0);
  const ofRounding = rounding?.relative ?? 0;
  const kept = limit * Math.min(1, ...factors) * (1 - g) * (1 - ofRounding);
  // Underflow before multiplication by alpha is not known, and may be large after.
  const isUnscaled = Math.abs(gemm.alpha) === 1 && gemm.imaginary === undefined;
  /** Decides whether sums that may stay at the largest number explain the entry; undefined where none may, or where that is not known. */
  const asStaying = ({ plus, minus, may }: Terms, found: number): number | undefined => {
    const [above, below] = [stays(plus), stays(minus)];
    if (areNearest(machine) || !(above || below)) return undefined;
    // Operands may have become the largest number; a bound that proves nothing gives no limits.
    if (may.plus || may.minus || g >= 1) return Range.right;
    const most = (1 + g) * (1 + ofRounding);
    const loss = (most - 1) * (plus + minus);
    const low = Math.min(plus - minus - loss, above ? kept - most * minus : ofResult);
    const high = Math.max(plus - minus + loss, below ? most * plus - kept : -ofResult);
    const scaled = found * SCALE * SCALE;
    const isOne = scaled >= Math.min(low, ofResult) && scaled <= Math.max(high, -ofResult);
    return isOne || isUnscaled ? rightIf(isOne) : undefined;
  };
  return (e, place, found) => {
    const terms = termsOf(evidence, place, becomes);
    const { plus, minus, hasPlusInfinity, hasMinusInfinity, hasNaN } = terms;
    const isNumber = !(hasNaN || hasPlusInfinity || hasMinusInfinity) && Number.isFinite(found);
    const reached = mayOf(terms);
    if (isNumber && isSaturated(machine, found) && (found > 0 ? reached.plus : reached.minus))
      return Range.right;
    const staying = isNumber ? asStaying(terms, found) : undefined;
    if (staying !== undefined) return staying;
    if (gemm.complex !== undefined) {
      // C leaves it to implementations which parts are NaN and which infinite; factors without imaginary part spread them to both parts.
      if (Number.isFinite(found))
        return hasNaN || hasPlusInfinity || hasMinusInfinity
          ? Range.wrong
          : isBeyond(reference.value[e])
            ? rightIf(!(isNearest && surelyOf(terms)))
            : Range.within;
      return rightIf(mayBe(terms) || mayBe(termsOf(evidence, otherPart(place, gemm), becomes)));
    }
    // Infinite sums less infinite sums of zero points are NaN.
    if (machine.zeroPoints === 'last' && (hasNaN || hasPlusInfinity || hasMinusInfinity))
      return rightIf(!Number.isFinite(found));
    const [sum, loss] = [plus - minus, g * (plus + minus)];
    const may = {
      plus: reached.plus || (isSpecial && sum + loss >= ofResult),
      minus: reached.minus || (isSpecial && loss - sum >= ofResult),
    };
    if (hasNaN || (hasPlusInfinity && hasMinusInfinity)) return rightIf(Number.isNaN(found));
    if (Number.isNaN(found)) {
      const isAlone = isNaNForInfinity || becomes.zeroFactor(gemm.alpha);
      return rightIf((may.plus && may.minus) || terms.may.nan || (isAlone && (may.plus || may.minus)));
    }
    if (!Number.isFinite(found)) {
      const opposite = found > 0 ? hasMinusInfinity : hasPlusInfinity;
      return rightIf((found > 0 ? may.plus : may.minus) && !opposite);
    }
    // Saturated results are the largest number, infinities too.
    if (hasPlusInfinity || hasMinusInfinity) return rightIf(found === overflowed(hasPlusInfinity ? 1 : -1));
    const surely = surelyOf(terms);
    if (surely && found === overflowed(Math.sign(sum))) return Range.right;
    if (surely && isNearest) return Range.wrong;
    if (surely && isUnscaled) return rightIf(found === Math.sign(sum) * largest);
    return isBeyond(reference.value[e]) ? Range.right : Range.within;
  };
}

/** Returns the place of the imaginary part for a real part, and the reverse; products lie one below the other. */
function otherPart(place: number, { m, n }: Evidence['gemm']): number {
  const size = (m * n) / 2;
  return place % (m * n) < size ? place + size : place - size;
}

/** Whole numbers keep their values. */
const STAYS: PossibleSpecials = { zero: () => false, infinite: () => false, zeroFactor: () => false };

/** Returns the terms of entry e, up to the first that is NaN: it decides alone. Products lie one below the other. */
function termsOf({ operands, gemm }: OverflowInput, e: number, becomes = STAYS): Terms {
  const { m, k, n, alpha, beta, imaginary } = gemm;
  const [row, j] = [Math.floor(e / n), e % n];
  const [p, i] = [Math.floor(row / m), row % m];
  const { a, b, c } = operands;
  let [plus, minus] = [0, 0];
  let [hasPlusInfinity, hasMinusInfinity, hasNaN] = [false, false, false];
  const may = { plus: false, minus: false, nan: false };
  const add = (x: number, y: number, factor: number, { zero, infinite }: PossibleSpecials) => {
    if (Number.isFinite(x) && Number.isFinite(y)) {
      const term = x * SCALE * (y * SCALE) * factor;
      if (term > 0) plus += term;
      else minus -= term;
      if (!infinite(x) && !infinite(y)) return;
      const sign = Math.sign(x) * Math.sign(y) * Math.sign(factor);
      may.plus ||= sign > 0;
      may.minus ||= sign < 0;
      may.nan ||= sign === 0 || zero(x) || zero(y);
    } else if (Number.isNaN(x * y)) hasNaN = true;
    else {
      if (x * y * factor > 0) hasPlusInfinity = true;
      else hasMinusInfinity = true;
      may.nan ||= zero(x) || zero(y) || becomes.zeroFactor(factor);
    }
  };
  const [aFrom, bFrom] = [a.rows > m ? p * m : 0, b.rows > k ? p * k : 0];
  const addAll = (own: number, byAlpha: number, byBeta: number) => {
    if (byAlpha !== 0) {
      for (let q = 0, at = (aFrom + own) * k, from = bFrom * n + j; q < k && !hasNaN; q++, at++, from += n)
        add(a.data[at], b.data[from], byAlpha, becomes);
    }
    if (byBeta !== 0 && c !== undefined)
      add(1, c.data[(c.rows > m ? p * m + own : own) * n + j], byBeta, STAYS);
  };
  addAll(i, alpha, beta);
  if (imaginary !== undefined) {
    const sign = i < m / 2 ? -1 : 1;
    addAll((i + m / 2) % m, sign * imaginary.alpha, sign * imaginary.beta);
  }
  return { plus, minus, hasPlusInfinity, hasMinusInfinity, hasNaN, may };
}
