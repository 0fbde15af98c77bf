/** A number of a real and an imaginary part. */
export interface ComplexNumber {
  readonly re: number;
  readonly im: number;
}

/** Alpha or beta: a number, or of complex products one with an imaginary part that is not 0. */
export type Factor = number | ComplexNumber;

export const realPart = (x: Factor): number => (typeof x === 'number' ? x : x.re);

export const imaginaryPart = (x: Factor): number => (typeof x === 'number' ? 0 : x.im);

/** The factor of two parts: a number where the imaginary one is 0. */
export const factorOf = (re: number, im: number): Factor => (im === 0 ? re : { re, im });

/** |re| + |im|: no less than the magnitude, and no more than √2 times it. */
export const sizeOfFactor = (x: Factor): number => Math.abs(realPart(x)) + Math.abs(imaginaryPart(x));

/** The same factor with each part changed. */
export const mappedFactor = (x: Factor, change: (part: number) => number): Factor =>
  typeof x === 'number' ? change(x) : factorOf(change(x.re), change(x.im));

/** `1`, or such as `0.5-2i`. */
export const writtenFactor = (x: Factor): string =>
  typeof x === 'number' ? String(x) : `${x.re === 0 ? '' : x.re}${x.im < 0 || x.re === 0 ? '' : '+'}${x.im}i`;
