import { lostBy } from './directed.ts';

/** The largest relative error of {@link exp}, {@link tanh} and {@link density} of doubles: 16 units in the last place. */
export const MARGIN = 2 ** -48;

/** The largest absolute error of {@link centralProbability}. */
export const CENTRAL_MARGIN = 2 ** -49;

/** ln 2 in two parts; products of the first with whole numbers below 2^11 are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** The limits beyond which e^x is no normal double. */
export const EXP_RANGE = { most: 709, least: -708 } as const;

/**
 * Returns e^x for x in {@link EXP_RANGE}: 2^k·e^r with abs(r) ≤ ln(2)/2, and 14 terms of the series of e^r, which leave out less than
 * 2^-57 of it.
 */
export function exp(x: number): number {
  const k = Math.round(x / Math.LN2);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = 13; n >= 1; n--) sum = 1 + (r / n) * sum;
  // 2^1024 alone is no double.
  return sum * 2 ** Math.floor(k / 2) * 2 ** Math.ceil(k / 2);
}

/** Returns tanh(x) for x ≥ 0: E/(E + 2) with E = e^2x − 1, by its series where 2x ≤ 1, else (1 − e^-2x)/(1 + e^-2x). */
export function tanh(x: number): number {
  if (x > 0.5) {
    const t = x > 300 ? 0 : exp(-2 * x);
    return (1 - t) / (1 + t);
  }
  const z = 2 * x;
  let sum = 1;
  for (let n = 22; n >= 2; n--) sum = 1 + (z / n) * sum;
  const grown = z * sum;
  return grown / (grown + 2);
}

/** 1/√(2π). */
const NORMAL = 0.3989422804014327;

/** The argument from which {@link tailBounds} of the normal distribution converge in few terms. */
export const TAIL = 2;

/** The limit beyond which the density of the normal distribution is no normal double. */
export const MOST_TAIL = 37;

/** Returns the density of the standard normal distribution at 0 ≤ x ≤ {@link MOST_TAIL}; x² is split, so that its error does not grow. */
export function density(x: number): number {
  const square = x * x;
  return NORMAL * exp(-square / 2) * (1 - lostBy(x, x, square) / 2);
}

/**
 * Returns Φ(x) − 1/2 for 0 ≤ x ≤ {@link TAIL}: φ(x)·(x + x³/3 + x⁵/(3·5) + …), all terms positive. Source: Abramowitz and Stegun,
 * *Handbook of Mathematical Functions*, 26.2.11.
 */
export function centralProbability(x: number): number {
  let [term, sum] = [x, x];
  for (let n = 3; term > sum * 2 ** -56; n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return density(x) * sum;
}

/**
 * Returns two numbers around (1 − Φ(x))/φ(x) for x ≥ {@link TAIL}, up to rounding: convergents of the continued fraction 1/(x + 1/(x +
 * 2/(x + 3/(x + …)))), which lie on alternate sides. Source: Abramowitz and Stegun, 26.2.14.
 */
export function tailBounds(x: number): [number, number] {
  const terms = 12 + Math.ceil(200 / (x * x));
  const convergent = (last: number) => {
    let rest = x;
    for (let n = last; n >= 1; n--) rest = x + n / rest;
    return 1 / rest;
  };
  const [one, other] = [convergent(terms), convergent(terms + 1)];
  return one < other ? [one, other] : [other, one];
}
