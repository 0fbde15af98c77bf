import { expect, test } from 'vitest';
import {
  addRationals,
  divideRationals,
  equalRationals,
  multiplyRationals,
  rational,
  subtractRationals,
  toFixed,
  toNumber,
} from './rational.ts';

test('fractions are reduced, with a positive denominator', () => {
  expect(rational(6, -4)).toEqual({ num: -3n, den: 2n });
  expect(rational(0, -7)).toEqual({ num: 0n, den: 1n });
  expect(() => rational(1, 0)).toThrow(RangeError);
});

test('arithmetic', () => {
  const [a, b] = [rational(5, 6), rational(-3, 4)];
  expect(addRationals(a, b)).toEqual(rational(1, 12));
  expect(subtractRationals(a, b)).toEqual(rational(19, 12));
  expect(multiplyRationals(a, b)).toEqual(rational(-5, 8));
  expect(divideRationals(a, b)).toEqual(rational(-10, 9));
  expect(() => divideRationals(a, rational(0))).toThrow(RangeError);
  expect(equalRationals(divideRationals(a, a), rational(1))).toBe(true);
  expect(equalRationals(a, b)).toBe(false);
  expect(toNumber(b)).toBe(-0.75);
});

test.each([
  [rational(125, 10), 1, '12.5'],
  [rational(1245, 100), 1, '12.5'],
  [rational(12449, 1000), 1, '12.4'],
  [rational(-72, 10), 1, '-7.2'],
  [rational(-725, 100), 1, '-7.3'],
  [rational(-4, 100), 1, '0.0'],
  [rational(4, 100), 1, '0.0'],
  [rational(7, 100), 2, '0.07'],
  [rational(5, 2), 0, '3'],
])('%o to %d digits is %s', (x, digits, text) => expect(toFixed(x, digits)).toBe(text));
