/** A complex number: real and imaginary part. */
export interface ComplexNumber {
  readonly re: number;
  readonly im: number;
}

/** Alpha or beta: a real number, or, in complex products only, a number whose imaginary part is not 0. */
export type Factor = number | ComplexNumber;

export const realPart = (x: Factor): number => (typeof x === 'number' ? x : x.re);

export const imaginaryPart = (x: Factor): number => (typeof x === 'number' ? 0 : x.im);

/** Builds a factor from its parts: a number if the imaginary part is 0. */
export const factorOf = (re: number, im: number): Factor => (im === 0 ? re : { re, im });

/** Returns |re| + |im|: at least the magnitude, and at most √2 times it. */
export const sizeOfFactor = (x: Factor): number => Math.abs(realPart(x)) + Math.abs(imaginaryPart(x));

/** Applies `change` to each part of a factor. */
export const mappedFactor = (x: Factor, change: (part: number) => number): Factor =>
  typeof x === 'number' ? change(x) : factorOf(change(x.re), change(x.im));

/** Formats a factor: `1`, or such as `0.5-2i`. */
export const writtenFactor = (x: Factor): string =>
  typeof x === 'number' ? String(x) : `${x.re === 0 ? '' : x.re}${x.im < 0 || x.re === 0 ? '' : '+'}${x.im}i`;
