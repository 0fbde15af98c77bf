import { expect, it } from 'vitest';
import { itWhole } from '../../src/base/in-short.testing.ts';
import { createRandom } from '../../src/base/random.ts';
import { allowedSigmas, allowedTypical } from '../../src/evidence/checks/sigma.ts';
import { defaultCampaign } from '../../src/gate/campaign.ts';
import { defaultSample } from '../../src/gate/default-sample.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import { findInput } from '../../src/inputs/inputs.ts';
import { twoSidedTail } from '../../src/study/bench/statistics.ts';
import { alarmOf, beyondOfBounded, beyondOfVarying, meanSquareBeyond } from './alarm.ts';

const random = createRandom(4, 0, 'fine');

it('bounds the tails of sums of signs, which Hoeffding’s theorem is sharpest for, and of uniform errors', () => {
  // For n random signs: P(|S| > t·√n) = 2·Σ binomial(n, i)/2^n, exactly.
  for (const n of [4, 25, 100, 400]) {
    let [share, beyond] = [2 ** -n, 0];
    const tails: [number, number][] = [];
    for (let more = 0; 2 * more < n; more++) {
      beyond += share;
      tails.push([(n - 2 * more) / Math.sqrt(n), 2 * beyond]);
      share *= (n - more) / (more + 1);
    }
    for (const [t, chance] of tails) expect(chance).toBeLessThanOrEqual(beyondOfBounded(t));
    // Within two powers of ten of the exact tail, so that a much looser bound would fail.
    const [t, chance] = tails.findLast(([t]) => t > 4) ?? tails[0];
    expect(chance).toBeGreaterThan(beyondOfBounded(t) / 100);
  }
  const sums = Array.from({ length: 20_000 }, () => {
    let sum = 0;
    for (let at = 0; at < 12; at++) sum += random.uniform(-1, 1);
    return Math.abs(sum) / Math.sqrt(12);
  });
  for (const t of [0.5, 1, 1.5, 2]) {
    const found = sums.filter((size) => size > t).length / sums.length;
    expect(found).toBeLessThan(beyondOfBounded(Math.sqrt(3) * t));
    expect(found).toBeGreaterThan(beyondOfBounded(Math.sqrt(3) * t) / 20);
  }
});

it('bounds the mean square of many: of signs never above 1, of normal numbers by Laurent and Massart’s lemma', () => {
  expect(meanSquareBeyond(1, 300)).toBe(1);
  expect(meanSquareBeyond(allowedTypical(6, 256), 256)).toBeCloseTo(5.4e-6, 7);
  // 2√(t/n) + 2t/n = 6√(2/n): t → 18 for many entries.
  expect(meanSquareBeyond(allowedTypical(6, 1e12), 1e12)).toBeCloseTo(Math.exp(-18), 11);
  const n = 16;
  const found = Array.from({ length: 20_000 }, () => {
    let squares = 0;
    for (let at = 0; at < n; at++) squares += random.normal() ** 2;
    return Math.sqrt(squares / n);
  });
  for (const r of [1.1, 1.3, 1.5]) {
    const share = found.filter((one) => one > r).length / found.length;
    expect(share).toBeLessThan(meanSquareBeyond(r, n));
    expect(share).toBeGreaterThan(meanSquareBeyond(r, n) / 50);
  }
});

itWhole(
  'bounds what sums of random terms, one after the other, err in units of what the reader expects',
  () => {
    const k = 64;
    const drawn = Array.from({ length: 40_000 }, () => {
      let [sum, squares, error, sizes] = [0, 0, 0, 0];
      for (let at = 0; at < k; at++) {
        const term = random.uniform(-1, 1);
        sum += term;
        squares += term * term;
        sizes += sum * sum;
        error += random.uniform(-1, 1) * Math.abs(sum);
      }
      const expected = (k / 2) * squares + (k / 3) * Math.max(0, sum * sum - squares);
      return { ratio: Math.abs(error) / Math.sqrt(expected), size: sizes / expected };
    });
    for (const t of [1, 1.5, 2, 2.5]) {
      const found = drawn.filter(({ ratio }) => ratio > t).length / drawn.length;
      expect(found).toBeLessThan(beyondOfVarying(t));
      expect(found).toBeGreaterThan(beyondOfVarying(t) / 300);
    }
    // Sizes vary, and so do errors: more errors are large than if all sums had the expected size.
    const tail = (t: number) =>
      drawn.reduce((total, { size }) => total + twoSidedTail(t * Math.sqrt(3 / size)), 0) / drawn.length;
    for (const t of [3, 4, 5]) {
      expect(tail(t)).toBeLessThan(beyondOfVarying(t));
      expect(tail(t)).toBeGreaterThan(5 * beyondOfBounded(t * Math.sqrt(3)));
    }
  },
);

it('adds up over the entries of a product', () => {
  expect(alarmOf(6, 100).bounded).toBeCloseTo(200 * Math.exp(-18), 12);
  // The threshold grows with the number of entries, so that the probability does not, except for the mean square.
  expect(alarmOf(6, 2 ** 30).bounded).toBeCloseTo(2 ** 17 * Math.exp(-18), 6);
  expect(allowedSigmas(6, 2 ** 30)).toBeCloseTo(Math.sqrt(36 + 2 * Math.log(2 ** 14)), 12);
  expect(alarmOf(6, 100).uniform).toBeCloseTo(200 * Math.exp(-54), 30);
  expect(beyondOfVarying(6)).toBeGreaterThan(beyondOfBounded(6 * Math.sqrt(3)));
});

itWhole(
  'the default gate has a chance of a false alarm that is bounded, by what is assumed of rounding errors',
  () => {
    const all = [...planCampaign(defaultCampaign), ...defaultSample(defaultCampaign)];
    const judged = all.filter(({ problem }) => findInput(problem.input).statistics === 'random');
    const chances = judged.map(({ problem: { m, n, batch } }) => alarmOf(6, m * n * batch));
    const sum = (of: 'bounded' | 'uniform') => chances.reduce((total, one) => total + one[of], 0);
    expect(sum('bounded')).toBeCloseTo(0.166, 3);
    expect(sum('uniform')).toBeLessThan(4e-17);
  },
);
