import { exponentOf } from '../../base/binary64.ts';
import type { Format } from '../format.ts';
import type { BlockScale, Coding } from './coding.ts';
import { type BlockParameters, endsOf } from './fill.ts';

/**
 * The factors of blocks that no power of two scales to elements exactly. All of them are fixed points: decoding and coding again gives
 * the same numbers, since the largest entry became the largest element.
 */

/** The least factor, in smallest subnormal numbers of its format: below it, neighboring factors are far apart. */
const LEAST = 64;

/** The range of the finite numbers of a block and 0. */
interface Extent {
  readonly least: number;
  readonly most: number;
}

export function extentOf(values: Float64Array): Extent {
  let [least, most] = [0, 0];
  for (const x of values) {
    if (!Number.isFinite(x)) continue;
    if (x < least) least = x;
    if (x > most) most = x;
  }
  return { least, most };
}

/** Returns the largest magnitude. */
export const largestMagnitudeOf = ({ least, most }: Extent): number => Math.max(most, -least);

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
export function signedFactor({ least, most }: Extent, { format }: BlockScale, element: Format): number {
  const isNegative = -least > most;
  const size = rounded((isNegative ? -least : most) / -endsOf(element).least, format);
  return isNegative ? size : -size;
}

/**
 * Maps the range of a block and 0 to the range of elements. The ends of one become those of the other, whatever their quotients: the
 * error is half a step, plus the error of rounding the factor.
 */
export function withZeroPoint(
  { least, most }: Extent,
  { scales: [{ format }], element }: Coding,
): BlockParameters {
  const ends = endsOf(element);
  const step = (most - least) / (ends.most - ends.least);
  const factor = rounded(step, format);
  const near = Math.min(ends.most, ends.least + Math.round(-least / factor));
  const zero = most === 0 ? ends.most : near;
  return { factor, zero, ends: step >= leastFactorOf(format) ? { least, most } : undefined };
}
