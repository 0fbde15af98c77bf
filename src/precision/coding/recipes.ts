import { exponentOf } from '../../base/binary64.ts';
import type { Format } from '../format.ts';
import type { BlockScale, Coding } from './coding.ts';
import { endsOf } from './ends.ts';
import type { BlockFactors } from './fill.ts';

/**
 * The factors of blocks whose numbers no power of two brings to elements exactly. All of them are fixed points: coding what they
 * decode to gives the same numbers, since the largest entry became the largest element.
 */

/** The least factor, in smallest subnormal numbers of its format: of fewer, the next one is far from it. */
const LEAST = 64;

/** The finite numbers of a block, and 0. */
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

/** The largest magnitude. */
export const sizeOf = ({ least, most }: Extent): number => Math.max(most, -least);

/**
 * The factor of a block whose largest magnitude is `size`, beside a factor `outer` of larger blocks. Powers of two alone are
 * 2^(⌊log2 size⌋ − the exponent of the largest element): OCP MX 1.0, §6.3. Others bring `size` to the largest element.
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

/** The factor of a format near a number; or the one below, where the nearest leaves the largest entry below the largest element. */
function nearFactor(x: number, format: Format, element: Format): number {
  const near = rounded(x, format);
  const isShort =
    x < near && x >= leastOf(format) && element.round((element.maxFinite * x) / near) < element.maxFinite;
  return isShort ? near - format.minSubnormal : near;
}

/** The least factor that a recipe gives. */
export const leastOf = ({ minNormal, minSubnormal }: Format): number =>
  Math.min(minNormal, LEAST * minSubnormal);

const rounded = (x: number, format: Format): number =>
  format.round(Math.min(Math.max(x, leastOf(format)), format.maxFinite));

/**
 * With a factor that may be below zero, the entry of the largest magnitude becomes the smallest element, −8 of −8…7, as llama.cpp
 * has it in `quantize_row_q4_0_ref`.
 */
export function signedFactor({ least, most }: Extent, { format }: BlockScale, element: Format): number {
  const isNegative = -least > most;
  const size = rounded((isNegative ? -least : most) / -endsOf(element).least, format);
  return isNegative ? size : -size;
}

/**
 * The range of a block and 0 from the smallest element to the largest. Its ends become those, whatever dividing them gives: half
 * a step and what rounding the factor adds.
 */
export function withZeroPoint(
  { least, most }: Extent,
  { scales: [{ format }], element }: Coding,
): BlockFactors {
  const ends = endsOf(element);
  const step = (most - least) / (ends.most - ends.least);
  const factor = rounded(step, format);
  const near = Math.min(ends.most, ends.least + Math.round(-least / factor));
  const zero = most === 0 ? ends.most : near;
  return { factor, zero, ends: step >= leastOf(format) ? { least, most } : undefined };
}
