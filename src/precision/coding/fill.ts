import type { Format } from '../format.ts';
import { notStored } from '../messages.ts';

/** The parameters that determine the elements of a block. */
export interface BlockParameters {
  /** The product of the factors of its blocks. */
  readonly factor: number;
  /** The zero point, present if the coding has zero points. */
  readonly zero?: number | undefined;
  /** True to exclude the element below −1 times the largest, which two's complement has. @defaultValue false */
  readonly isSymmetric?: boolean | undefined;
  /** Numbers that become the least and the greatest element, whatever their quotients. */
  readonly ends?: { readonly least: number; readonly most: number } | undefined;
}

/**
 * Returns the conversion of a number to its element: divided by the factor, rounded to nearest, saturated. Infinities and NaN stay
 * unchanged if the element has them; infinities become NaN if it has only that (OCP OFP8 1.0, without saturation).
 * @throws ParanoiaError `not-stored` for NaN and infinities, from the returned function, if the element has neither.
 */
export function elementsOf(
  element: Format,
  { factor, zero, isSymmetric = false, ends }: BlockParameters,
): (x: number) => number {
  const { least, most } = endsOf(element);
  const smallest = isSymmetric ? Math.max(least, -most) : least;
  const clamped = (x: number) => Math.min(most, Math.max(smallest, x));
  return (x) => {
    if (!Number.isFinite(x)) return specialOf(x, element);
    if (ends !== undefined && (x === ends.least || x === ends.most)) return x === ends.least ? least : most;
    // A block of zeros may have the factor 0.
    const quotient = factor === 0 ? 0 : x / factor;
    return zero === undefined ? element.round(clamped(quotient)) : clamped(toWhole(quotient) + zero);
  };
}

/** Rounds to the nearest whole number, ties to even. */
export function toWhole(x: number): number {
  const near = Math.round(x);
  return near - x === 0.5 && near % 2 !== 0 ? near - 1 : near;
}

function specialOf(x: number, { name, round, code }: Format): number {
  const special = round(x);
  // Rounding gives NaN for every value that a format lacks; the code tells if the format has NaN.
  if (code === undefined || !Number.isFinite(code.decode(code.encode(x)))) return special;
  throw notStored({ what: Number.isNaN(x) ? 'NaN' : 'infinity', format: name });
}

/** The smallest and the largest of a set of numbers. */
export interface Ends {
  readonly least: number;
  readonly most: number;
}

/** Returns the smallest and the largest finite number of a format. Two's complement has one more number below zero. */
export function endsOf({ round, maxFinite, minSubnormal, numbers }: Format): Ends {
  if (numbers !== undefined) return { least: numbers[0], most: maxFinite };
  const least = round(-maxFinite - minSubnormal);
  return { least: Number.isFinite(least) ? least : 0, most: maxFinite };
}
