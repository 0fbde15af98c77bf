import type { Format } from '../format.ts';
import { notStored } from '../messages.ts';
import { endsOf } from './ends.ts';

/** What decides the elements of a block. */
export interface BlockFactors {
  /** The product of the factors of its blocks. */
  readonly factor: number;
  /** Of codings that have zero points. */
  readonly zero?: number | undefined;
  /** Whether the element below −1 times the largest, of two's complement, is left out. @defaultValue false */
  readonly isSymmetric?: boolean | undefined;
  /** Numbers that become the ends of the elements, whatever dividing them gives. */
  readonly ends?: { readonly least: number; readonly most: number } | undefined;
}

/**
 * From a number to its element: divided by the factor, rounded to nearest, saturated. Infinities and NaN stay what they are
 * where the element has them; infinities are NaN where it has only that (OCP OFP8 1.0, without saturation).
 * @throws ParanoiaError `not-stored` for NaN and infinities, by what is returned, where the element has neither.
 */
export function elementsOf(
  element: Format,
  { factor, zero, isSymmetric = false, ends }: BlockFactors,
): (x: number) => number {
  const { least, most } = endsOf(element);
  const smallest = isSymmetric ? Math.max(least, -most) : least;
  const clamped = (x: number) => Math.min(most, Math.max(smallest, x));
  return (x) => {
    if (!Number.isFinite(x)) return specialOf(x, element);
    if (ends !== undefined && (x === ends.least || x === ends.most)) return x === ends.least ? least : most;
    const quotient = x / factor;
    return zero === undefined ? element.round(clamped(quotient)) : clamped(toWhole(quotient) + zero);
  };
}

/** To the nearest whole number, ties to even. */
function toWhole(x: number): number {
  const near = Math.round(x);
  return near - x === 0.5 && near % 2 !== 0 ? near - 1 : near;
}

function specialOf(x: number, { name, round, code }: Format): number {
  const special = round(x);
  // Rounding says NaN of whatever is no number of a format; a code knows whether there is one.
  if (code === undefined || !Number.isFinite(code.decode(code.encode(x)))) return special;
  throw notStored({ what: Number.isNaN(x) ? 'NaN' : 'infinity', format: name });
}
