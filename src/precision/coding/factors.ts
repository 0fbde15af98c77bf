import { exponentOf, lowestBit } from '../../base/binary64.ts';
import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { CodedMatrix } from '../../matrix/operands.ts';
import type { Format } from '../format.ts';
import { type BlockScale, type Coding, type LineAccess, type Region, scaleAt } from './coding.ts';
import { type BlockParameters, type Ends, elementsOf, endsOf } from './fill.ts';

/** A range of exponents of powers of two, both ends included. */
export type Exponents = Ends;

export const ANY: Exponents = { least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY };
export const NONE: Exponents = { least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY };
/** The binades above the smallest possible factor in which a factor is drawn; for a block of zeros, on both sides of 1. */
const DRAWN = 8;

/** Returns the range of powers of two in a format of factors. */
export const powersOf = ({ minSubnormal, maxFinite }: Format): Exponents => ({
  least: exponentOf(minSubnormal),
  most: exponentOf(maxFinite),
});

/** Returns the powers of two that scale all numbers to elements exactly; undefined if there are none. Zeros allow any. */
export function exactPowers(values: Float64Array, { element, zero }: Coding): Exponents | undefined {
  const { least: smallest, most: largest } = extentOf(values);
  let lowest = Number.POSITIVE_INFINITY;
  for (const x of values) if (x !== 0 && Number.isFinite(x)) lowest = Math.min(lowest, lowestBit(x));
  if (lowest === Number.POSITIVE_INFINITY) return ANY;
  const [ends, last] = [endsOf(element), exponentOf(element.minSubnormal)];
  const fits =
    zero === undefined ? within(ends) : ({ least, most }: Ends) => most - least <= ends.most - ends.least;
  let least = exponentOf(Math.max(largest, -smallest)) - exponentOf(element.maxFinite) - 1;
  while (!fits({ least: smallest * 2 ** -least, most: largest * 2 ** -least })) least++;
  const most = lowest - last;
  if (least > most) return undefined;
  const inverse = 2 ** -least;
  const isHeld = (x: number) => !Number.isFinite(x) || element.round(x * inverse) === x * inverse;
  return zero !== undefined || values.every(isHeld) ? { least, most } : undefined;
}

const within =
  (ends: Ends) =>
  ({ least, most }: Ends): boolean =>
    least >= ends.least && most <= ends.most;

/** Returns the intersection of two ranges. */
export const intersectRanges = (a: Exponents, b: Exponents): Exponents => ({
  least: Math.max(a.least, b.least),
  most: Math.min(a.most, b.most),
});

/**
 * Picks an exponent from the intersection of two ranges: the least, or, if `span` has no least, the one nearest to 0. With random
 * numbers it is drawn from those a few binades above. Undefined if the intersection is empty.
 */
export function pickExponent(span: Exponents, of: Exponents, random: Random | undefined): number | undefined {
  const { least, most } = intersectRanges(span, of);
  if (least > most) return undefined;
  const isAny = span.least === Number.NEGATIVE_INFINITY;
  const within = (exponent: number) => Math.min(most, Math.max(least, exponent));
  const low = isAny ? within(random === undefined ? 0 : -DRAWN) : least;
  return random === undefined ? low : random.int(low, within(low + (isAny ? 2 : 1) * DRAWN));
}

/** A matrix in the course of coding. */
export interface CodingState {
  readonly x: Matrix;
  readonly lying: LineAccess;
  readonly coding: Coding;
  readonly made: CodedMatrix;
  readonly random: Random | undefined;
}

/** Returns the numbers of a block, line by line. */
export function readBlockValues({ x, lying }: CodingState, { lines, entries }: Region): Float64Array {
  const values = new Float64Array((lines[1] - lines[0]) * (entries[1] - entries[0]));
  let at = 0;
  for (let line = lines[0]; line < lines[1]; line++) {
    for (let entry = entries[0]; entry < entries[1]; entry++) values[at++] = x.data[lying.at(line, entry)];
  }
  return values;
}

/** Stores the elements of a block, its own factor (without that of larger blocks), and its zero point. */
export function storeBlock(
  { coding, made, lying }: CodingState,
  block: Region,
  values: Float64Array,
  factors: BlockParameters,
  outer = 1,
): void {
  const { scales, zeros, elements } = made;
  const [smallest] = coding.scales;
  scales[0].data[scaleAt(block, smallest, scales[0])] = factors.factor / outer;
  if (zeros !== undefined) zeros.data[scaleAt(block, smallest, zeros)] = factors.zero ?? 0;
  const element = elementsOf(coding.element, factors);
  let at = 0;
  for (let line = block.lines[0]; line < block.lines[1]; line++) {
    for (let entry = block.entries[0]; entry < block.entries[1]; entry++) {
      elements.data[lying.at(line, entry)] = element(values[at++]);
    }
  }
}

// What follows are the factors of blocks that no power of two scales to elements exactly. All of them are fixed points: decoding and
// coding again gives the same numbers, since the largest entry became the largest element.

/** The least factor, in smallest subnormal numbers of its format: below it, neighboring factors are far apart. */
const LEAST = 64;

/** Returns the range of the finite numbers of a block and 0. */
export function extentOf(values: Float64Array): Ends {
  let [least, most] = [0, 0];
  for (const x of values) {
    if (!Number.isFinite(x)) continue;
    if (x < least) least = x;
    if (x > most) most = x;
  }
  return { least, most };
}

/** Returns the largest magnitude. */
export const largestMagnitudeOf = ({ least, most }: Ends): number => Math.max(most, -least);

/**
 * Returns the factor of a block whose largest magnitude is `size`, within a larger block with the factor `outer`. A power of two is
 * 2^(⌊log2 size⌋ − the exponent of the largest element): OCP MX 1.0, §6.3. Other factors map `size` to the largest element.
 */
export function factorFor(size: number, outer: number, { format }: BlockScale, element: Format): number {
  const { maxFinite } = element;
  if (format.precision > 1) return nearFactor(size / (outer * maxFinite), format, element);
  const exponent = exponentOf(size / outer) - exponentOf(maxFinite);
  return Math.min(
    Math.max(2 ** exponent, format.minSubnormal),
    2 ** (exponentOf(format.maxFinite) - exponentOf(maxFinite)),
  );
}

/** Returns the factor of a format nearest to a number, or the one below if the nearest maps the largest entry below the largest element. */
function nearFactor(x: number, format: Format, element: Format): number {
  const near = rounded(x, format);
  const isShort =
    x < near &&
    x >= leastFactorOf(format) &&
    element.round((element.maxFinite * x) / near) < element.maxFinite;
  return isShort ? near - format.minSubnormal : near;
}

/** Returns the least factor that a recipe gives. */
export const leastFactorOf = ({ minNormal, minSubnormal }: Format): number =>
  Math.min(minNormal, LEAST * minSubnormal);

const rounded = (x: number, format: Format): number =>
  format.round(Math.min(Math.max(x, leastFactorOf(format)), format.maxFinite));

/**
 * Returns a factor that may be negative. The entry of the largest magnitude becomes the smallest element, −8 of −8…7, as in llama.cpp's
 * `quantize_row_q4_0_ref`.
 */
export function signedFactor({ least, most }: Ends, { format }: BlockScale, element: Format): number {
  const isNegative = -least > most;
  const size = rounded((isNegative ? -least : most) / -endsOf(element).least, format);
  return isNegative ? size : -size;
}

/**
 * Maps the range of a block and 0 to the range of elements. The ends of one become those of the other, whatever their quotients: the
 * error is half a step, plus the error of rounding the factor.
 */
export function withZeroPoint(
  { least, most }: Ends,
  { scales: [{ format }], element }: Coding,
): BlockParameters {
  const ends = endsOf(element);
  const step = (most - least) / (ends.most - ends.least);
  const factor = rounded(step, format);
  const near = Math.min(ends.most, ends.least + Math.round(-least / factor));
  const zero = most === 0 ? ends.most : near;
  return { factor, zero, ends: step >= leastFactorOf(format) ? { least, most } : undefined };
}
