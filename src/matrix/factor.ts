import { badNumber } from '../base/messages.ts';

interface ComplexNumber {
  readonly re: number;
  readonly im: number;
}

/** Alpha or beta: a real number, or, in complex products only, a number whose imaginary part is not 0. */
export type ScaleFactor = number | ComplexNumber;

export const realPart = (x: ScaleFactor): number => (typeof x === 'number' ? x : x.re);

export const imaginaryPart = (x: ScaleFactor): number => (typeof x === 'number' ? 0 : x.im);

/** Builds a factor from its parts: a number if the imaginary part is 0. */
export const makeFactor = (re: number, im: number): ScaleFactor => (im === 0 ? re : { re, im });

/** Returns |re| + |im|: at least the magnitude, and at most √2 times it. */
export const sizeOfFactor = (x: ScaleFactor): number => Math.abs(realPart(x)) + Math.abs(imaginaryPart(x));

/** Applies `change` to each part of a factor. */
export const mapFactor = (x: ScaleFactor, change: (part: number) => number): ScaleFactor =>
  typeof x === 'number' ? change(x) : makeFactor(change(x.re), change(x.im));

/** Formats a factor: `1`, or such as `0.5-2i`. */
export const formatFactor = (x: ScaleFactor): string =>
  typeof x === 'number' ? String(x) : `${x.re === 0 ? '' : x.re}${x.im < 0 || x.re === 0 ? '' : '+'}${x.im}i`;

/** The factors of a product: C = alpha·A·B + beta·C. With beta = 0, C is not read. */
export interface Scaling {
  readonly alpha: number;
  readonly beta: number;
}

/**
 * Checks alpha and beta of C = alpha·A·B + beta·C: finite numbers.
 * @throws ParanoiaError `bad-number`
 */
export function requireScaling(scaling: Scaling): void {
  for (const what of ['alpha', 'beta'] as const) {
    const given = scaling?.[what];
    if (Number.isFinite(given)) continue;
    throw badNumber({ what, given, need: 'a finite number' });
  }
}
