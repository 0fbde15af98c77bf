import { describe, expect, it } from 'vitest';
import { exactProductsBound, roundsAlike, splitProductsBound, upperHalf } from './double-double.ts';

describe('roundsAlike', () => {
  const ulp = 2 ** -52;

  it('trusts an exact sum, ties included', () => {
    expect(roundsAlike(1, ulp / 2, 0)).toBe(true);
    expect(roundsAlike(0, 0, 0)).toBe(true);
  });

  it('accepts what the bound leaves inside the rounding interval', () => {
    expect(roundsAlike(1, 0.4 * ulp, 0.09 * ulp)).toBe(true);
    expect(roundsAlike(-1, -0.4 * ulp, 0.09 * ulp)).toBe(true);
  });

  it('refuses what may cross its ends, nearer below a power of two', () => {
    expect(roundsAlike(1, 0.4 * ulp, 0.11 * ulp)).toBe(false);
    expect(roundsAlike(1, -0.2 * ulp, 0.06 * ulp)).toBe(false);
    expect(roundsAlike(1.5, -0.2 * ulp, 0.06 * ulp)).toBe(true);
    expect(roundsAlike(1 + ulp, ulp / 2 - 2 ** -105, 2 ** -104)).toBe(false);
  });

  it('refuses a zero that may be something else', () => {
    expect(roundsAlike(0, 0, 2 ** -1000)).toBe(false);
  });
});

it('the bounds vanish only where the low word cannot round', () => {
  expect(exactProductsBound(4, 1, -103)).toBe(0);
  expect(exactProductsBound(4, 1, -104)).toBeGreaterThan(2 ** -106 * 10);
  expect(exactProductsBound(4, 1, -104)).toBeLessThan(2 ** -106 * 10.1);
  expect(splitProductsBound(4, 1, -102)).toBe(0);
  expect(splitProductsBound(4, 1, -106)).toBeGreaterThan(2 ** -106 * 19);
});

it('the upper half of a double has 26 bits, and so has the rest', () => {
  const x = 1 + 2 ** -52 + 2 ** -26 + 2 ** -27;
  const high = upperHalf(x);
  expect(Number.isInteger(high * 2 ** 25)).toBe(true);
  expect(Math.abs(x - high)).toBeLessThanOrEqual(2 ** -26);
});
