import { minus, plus, type Rational, rational, times, toNumber } from '../base/rational.ts';

/** An exact number a + b·√3: a coefficient of a table. Most have b = 0. */
export interface Surd {
  readonly a: Rational;
  readonly b: Rational;
}

const ZERO = rational(0);

export const surd = (a: Rational, b: Rational = ZERO): Surd => ({ a, b });
export const NOTHING: Surd = surd(ZERO);

export const addSurds = (x: Surd, y: Surd): Surd => surd(plus(x.a, y.a), plus(x.b, y.b));
export const subtractSurds = (x: Surd, y: Surd): Surd => surd(minus(x.a, y.a), minus(x.b, y.b));

/** Multiplies: (a + b√3)(c + d√3) = ac + 3bd + (ad + bc)√3. */
export const multiplySurds = (x: Surd, y: Surd): Surd =>
  surd(plus(times(x.a, y.a), times(rational(3), times(x.b, y.b))), plus(times(x.a, y.b), times(x.b, y.a)));

export const isNothing = ({ a, b }: Surd): boolean => a.num === 0n && b.num === 0n;

/** Returns the nearest double, up to the roundings of √3, a product and a sum. */
export const surdValue = ({ a, b }: Surd): number => toNumber(a) + toNumber(b) * Math.sqrt(3);

const FACTOR = /^(\d+)?(√3)?(?:\/(\d+))?$/;

/** Reads `3`, `1/2`, `√3` or `2√3/3`. Undefined for anything else. */
export function parseSurd(text: string): Surd | undefined {
  const [, num, root, den = '1'] = FACTOR.exec(text) ?? [];
  if ((num === undefined && root === undefined) || BigInt(den) === 0n) return undefined;
  const size = rational(BigInt(num ?? '1'), BigInt(den));
  return root === undefined ? surd(size) : surd(ZERO, size);
}
