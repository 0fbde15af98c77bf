import type { Matrix } from '../matrix/dense.ts';

/** The least and the largest exponent of two among the finite entries other than zero; undefined where there are none. */
export type Exponents = { readonly least: number; readonly largest: number } | undefined;

/** The exponents of a matrix: e for sizes from 2^e up to 2^(e+1). */
export function exponentsOf({ data }: Matrix): Exponents {
  let [least, largest] = [Number.POSITIVE_INFINITY, 0];
  for (let at = 0; at < data.length; at++) {
    const size = Math.abs(data[at]);
    if (size > largest && size < Number.POSITIVE_INFINITY) largest = size;
    if (size < least && size > 0) least = size;
  }
  if (largest === 0) return undefined;
  return { least: exponentOf(least), largest: exponentOf(largest) };
}

function exponentOf(size: number): number {
  const exponent = Math.floor(Math.log2(size));
  // The logarithm may be rounded up to the next whole number.
  return 2 ** exponent > size ? exponent - 1 : exponent;
}

/** Both ranges in one. */
export function widened(x: Exponents, y: Exponents): Exponents {
  if (x === undefined || y === undefined) return x ?? y;
  return { least: Math.min(x.least, y.least), largest: Math.max(x.largest, y.largest) };
}
