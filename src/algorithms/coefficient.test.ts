import { expect, it, test } from 'vitest';
import { rational } from '../base/rational.ts';
import {
  coefficientFraction,
  factorText,
  isCoefficient,
  multiplyCoefficients,
  parseFactor,
  roundingsBy,
} from './coefficient.ts';
import { guessFraction } from './define-algorithm.ts';

/** Numerators and denominators near the limits. */
const PARTS = [1, 2, 3, 5, 7, 640, 1023, 1024, 1361, 2039, 2045, 2046, 2047];

test('a double stands for the fraction that it is nearest to', () => {
  for (const p of PARTS)
    for (const q of PARTS) {
      expect(coefficientFraction(p / q)).toEqual(rational(p, q));
      expect(coefficientFraction(-p / q)).toEqual(rational(-p, q));
      expect(isCoefficient(p / q)).toBe(true);
      expect(parseFactor(factorText(-p / q))).toBe(-p / q);
    }
});

test('products of two are fractions of twice as many bits', () => {
  for (const p of PARTS)
    for (const q of PARTS)
      expect(coefficientFraction(multiplyCoefficients(p / q, 2047 / 2039))).toEqual(
        rational(p * 2047, q * 2039),
      );
  expect(multiplyCoefficients(1 / 3, 1 / 3)).toBe(1 / 9);
  expect(multiplyCoefficients(1 / 3, 3)).toBe(1);
  expect(multiplyCoefficients(1 / 49, 49)).toBe(1);
});

it.each([2 ** -14, 2 ** 14, 2047 * 2 ** -14, -0.375])('takes %d for itself', (x) => {
  expect(Number(coefficientFraction(x).num) / Number(coefficientFraction(x).den)).toBe(x);
  expect(isCoefficient(x)).toBe(true);
});

it.each([0.3333, 0.1234567, Math.PI, Math.sqrt(3) / 2, 1 / 2048 / 3, 2 ** 20, Number.NaN, 1e300, 1e-300])(
  'has no fraction for %d',
  (x) => expect(isCoefficient(x)).toBe(false),
);

it.each([
  [1 / 2, 0],
  [-4, 0],
  [3, 1],
  [-0.75, 1],
  [1 / 3, 2],
  [-5 / 6, 2],
])('%d rounds %d times', (x, times) => expect(roundingsBy(x)).toBe(times));

it.each([
  [0.3333, '1/3'],
  [-0.667, '-2/3'],
  [0.33, '1/3'],
  [0.142857, '1/7'],
  [0.3, undefined],
  [0.5, undefined],
  [17 / 24, undefined],
  [1 / 3, undefined],
])('%d is meant for %s', (x, text) => expect(guessFraction(x)).toBe(text));
