import { expect, it } from 'vitest';
import { twoSidedTail, twoSidedTailOfLargest, upperTail } from './normal-tail.ts';

it('has the tails of the normal distribution', () => {
  // Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1: Q(2), Q(4); Q(6) = 9.8659e-10.
  expect(twoSidedTail(2)).toBeCloseTo(2 * 0.0227501319, 9);
  expect(twoSidedTail(4)).toBeCloseTo(2 * 3.16712418e-5, 12);
  expect(twoSidedTail(6) / (2 * 9.865876450377e-10)).toBeCloseTo(1, 12);
  // Table 26.2: −log Q(20) = 89.561, Q(38) underflows a normal double.
  expect(-Math.log10(upperTail(20))).toBeCloseTo(88.56, 2);
  expect([upperTail(0), upperTail(Number.POSITIVE_INFINITY), upperTail(Number.NEGATIVE_INFINITY)]).toEqual([
    0.5, 0, 1,
  ]);
});

it('tells what the largest of many does', () => {
  expect(twoSidedTailOfLargest(2, 1)).toBeCloseTo(twoSidedTail(2), 12);
  expect(twoSidedTailOfLargest(6, 2 ** 16)).toBeLessThan(1.3e-4);
  expect(twoSidedTailOfLargest(2, 1e6)).toBe(1);
});

it('is the integral of the density, from the middle into the tail', () => {
  for (const t of [-3, -0.4, 0.1, 1, 2.49, 2.51, 5, 12, 30]) {
    // Simpson's rule for ∫φ(t + x)dx/φ(t), in double.
    const panels = 40_000;
    const end = 30 / Math.max(1, t);
    const h = end / panels;
    let sum = 0;
    for (let at = 0; at <= panels; at++) {
      const weight = at === 0 || at === panels ? 1 : at % 2 === 1 ? 4 : 2;
      sum += weight * Math.exp(-t * h * at - (h * at) ** 2 / 2);
    }
    const expected = (Math.exp((-t * t) / 2) / Math.sqrt(2 * Math.PI)) * ((sum * h) / 3);
    expect(upperTail(t) / expected).toBeCloseTo(1, t < 0 ? 8 : 11);
  }
});
