import {
  addRationals,
  multiplyRationals,
  type Rational,
  rational,
  subtractRationals,
  toNumber,
} from '../base/rational.ts';

/** An exact number a + b·√3: a coefficient of a table. Most have b = 0. */
export interface Surd {
  readonly a: Rational;
  readonly b: Rational;
}

const ZERO = rational(0);

export const makeSurd = (a: Rational, b: Rational = ZERO): Surd => ({ a, b });
export const NOTHING: Surd = makeSurd(ZERO);

export const addSurds = (x: Surd, y: Surd): Surd => makeSurd(addRationals(x.a, y.a), addRationals(x.b, y.b));
export const subtractSurds = (x: Surd, y: Surd): Surd =>
  makeSurd(subtractRationals(x.a, y.a), subtractRationals(x.b, y.b));

/** Multiplies: (a + b√3)(c + d√3) = ac + 3bd + (ad + bc)√3. */
export const multiplySurds = (x: Surd, y: Surd): Surd =>
  makeSurd(
    addRationals(multiplyRationals(x.a, y.a), multiplyRationals(rational(3), multiplyRationals(x.b, y.b))),
    addRationals(multiplyRationals(x.a, y.b), multiplyRationals(x.b, y.a)),
  );

export const isZeroSurd = ({ a, b }: Surd): boolean => a.num === 0n && b.num === 0n;

/** Returns the nearest double, up to the roundings of √3, a product and a sum. */
export const surdValue = ({ a, b }: Surd): number => toNumber(a) + toNumber(b) * Math.sqrt(3);

const FACTOR = /^(\d+)?(√3)?(?:\/(\d+))?$/;

/** Reads `3`, `1/2`, `√3` or `2√3/3`. Undefined for anything else. */
export function parseSurd(text: string): Surd | undefined {
  const [, num, root, den = '1'] = FACTOR.exec(text) ?? [];
  if ((num === undefined && root === undefined) || BigInt(den) === 0n) return undefined;
  const size = rational(BigInt(num ?? '1'), BigInt(den));
  return root === undefined ? makeSurd(size) : makeSurd(ZERO, size);
}
