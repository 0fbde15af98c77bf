import { describe, expect, test } from 'vitest';
import { listPasses, MOST_SLICES, MOST_TERMS, significantBitsOf, slicesFor, wordsFor } from './slices.ts';

/** Returns the range of `count` balanced digits of base 256. */
const range = (count: number) => {
  const ones = (256n ** BigInt(count) - 1n) / 255n;
  return { lowest: -128n * ones, highest: 127n * ones };
};

test('digits hold every integer of so many bits, and one digit less does not', () => {
  for (let bits = 0; bits <= 126; bits++) {
    const largest = 2n ** BigInt(bits) - 1n;
    const { lowest, highest } = range(slicesFor(bits));
    expect(highest >= largest && lowest <= -largest, `${bits} bits`).toBe(true);
    // The bound leaves one bit to spare: the range is 127/128 of a power of two.
    if (slicesFor(bits) > 1) expect(range(slicesFor(bits) - 1).highest < 2n * largest + 1n).toBe(true);
  }
});

test('sums of as many terms as are allowed stay within an i32, and of one more do not', () => {
  expect(MOST_TERMS * 128 * 128).toBeLessThan(2 ** 31);
  expect((MOST_TERMS + 1) * 128 * 128).toBe(2 ** 31);
});

test.each([
  [1, 1, 1],
  [24, 24, 16384],
  [126, 126, 2 ** 22],
  [47, 47, 1],
  [32, 32, 1],
  [31, 32, 2],
  [60, 60, 2 ** 8],
])('%d by %d bits, k = %d: words hold the largest sum, with its sign', (bitsA, bitsB, k) => {
  const largest = BigInt(k) * (2n ** BigInt(bitsA) - 1n) * (2n ** BigInt(bitsB) - 1n);
  expect(largest).toBeLessThan(2n ** BigInt(32 * wordsFor(bitsA, bitsB, k) - 1));
  expect(wordsFor(bitsA, bitsB, k)).toBeLessThanOrEqual(9);
});

describe('the schedule', () => {
  test.each([
    [4, 4, 4096, 8],
    [1, 1, 40000, 8],
    [5, 2, 33, 1],
    [MOST_SLICES, MOST_SLICES, 16384, 16],
  ])(
    '%d by %d slices, %d words: every pair meets every word once, in few enough terms',
    (a, b, words, step) => {
      const met = new Map<string, number>();
      for (const { diagonal, from, to } of listPasses(a, b, words, step)) {
        let pairs = 0;
        for (let s = Math.max(0, diagonal - b + 1); s <= Math.min(diagonal, a - 1); s++) {
          const key = `${s} ${diagonal - s}`;
          expect(from).toBe(met.get(key) ?? 0);
          met.set(key, to);
          pairs++;
        }
        expect(4 * (to - from) * pairs).toBeLessThanOrEqual(MOST_TERMS);
        expect(from % step).toBe(0);
      }
      expect(met.size).toBe(a * b);
      expect([...met.values()].every((end) => end === words)).toBe(true);
    },
  );
});

test.each([
  ['uniform f32', { top: 0, grid: -23 }, 24],
  ['the widest', { top: 0, grid: -125 }, 126],
  ['one bit wider', { top: 0, grid: -126 }, undefined],
  ['f32 subnormals', { top: -127, grid: -149 }, 23],
  ['products below the normal numbers', { top: -500, grid: -512 }, undefined],
  ['products beyond the largest number', { top: 500, grid: 490 }, undefined],
])('a line, %s', (_, line, bits) => expect(significantBitsOf(line)).toBe(bits));

test('a pass is as long as the pairs of its diagonal allow, and no longer', () => {
  const [step, words] = [2, 4096];
  for (const [a, b, most] of [
    [1, 1, 800],
    [3, 2, 800],
    [2, 5, 4000],
    [4, 4, 8],
  ]) {
    for (let diagonal = 0; diagonal < a + b - 1; diagonal++) {
      const slices = Array.from({ length: a * b }, (_, at) => Math.floor(at / b) + (at % b));
      const pairs = slices.filter((sum) => sum === diagonal).length;
      const [first] = listPasses(a, b, words, step, most).filter((pass) => pass.diagonal === diagonal);
      const terms = 4 * pairs * (first.to - first.from);
      expect(terms <= most || first.to === step).toBe(true);
      expect(terms + 4 * pairs * step).toBeGreaterThan(most);
    }
  }
});
