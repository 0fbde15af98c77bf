import { expect, it } from 'vitest';
import { inShort } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { matrix } from '../matrix/dense.ts';
import { integerDot, roundInteger, toIntegers } from './bigint.ts';
import { countDigitTerms, cutIntoDigits, digitsOf, LONGEST, roundDigitSums } from './digits.ts';
import { exactProduct } from './exact.ts';
import { readOperands } from './operands.ts';

/** Returns the width of digits for entries of `bits` bits. */
const widthOf = (bits: number) => Math.ceil(bits / Math.ceil(bits / 14));

/** Returns k entries whose lower digits are half of the base. One in seven has all bits set, and one entry is 1, the unit. */
function line(k: number, bits: number, sign: (t: number) => number): Float64Array {
  let halves = 2 ** (bits - 1);
  for (let at = widthOf(bits) - 1; at < bits - 1; at += widthOf(bits)) halves += 2 ** at;
  const ones = 2 ** bits - 2 ** Math.max(0, bits - 53);
  return Float64Array.from({ length: k }, (_, t) => sign(t) * (t === 1 ? 1 : t % 7 === 3 ? ones : halves));
}

const bitsOfLines = [2, 11, 12, 14, 15, 23, 24, 27, 28, 29, 40, 42, 43, 52, 53, 54, 55, 56];
const lengths = [2, 3, 127, 1025];

it.each(
  inShort(
    bitsOfLines.flatMap((a) => bitsOfLines.filter((b) => a <= b).map((b) => [a, b])),
    3,
  ),
)('digits as large as they can be of %d and %d bits', (bitsA, bitsB) => {
  for (const k of lengths) {
    for (const sign of [() => 1, (t: number) => (t % 5 === 2 ? -1 : 1)]) {
      const [x, y] = [line(k, bitsA, () => 1), line(k, bitsB, sign)];
      const [a, b] = [matrix(1, k, x), matrix(k, 1, y)];
      const expected = roundInteger(integerDot(toIntegers(x, 0, k, 0), toIntegers(y, 0, k, 0)), 0);
      for (const engine of ['simd', 'typescript'] as const) {
        const { product, low } = exactProduct(a, b, engine);
        expect({ value: product.data[0], low: low[0] }).toEqual(expected);
      }
    }
  }
});

it('the longest sums of the largest digits stay exact', () => {
  const x = 2 ** 55 + 2 ** 54 + 2 ** 36 + 2 ** 17;
  const a = matrix(1, LONGEST, new Float64Array(LONGEST).fill(x));
  a.data[0] = 1;
  const expected = roundInteger(BigInt(x) * BigInt(x) * BigInt(LONGEST - 1) + 1n, 0);
  for (const engine of ['simd', 'typescript'] as const) {
    const { product, low, certificate } = exactProduct(a, matrix(LONGEST, 1, a.data), engine);
    expect({ value: product.data[0], low: low[0] }).toEqual(expected);
    expect(certificate.byExactSum).toBe(1);
  }
});

it.each([2 ** 54, 2 ** 54 + 4, -(2 ** 54), -(2 ** 54) - 4].flatMap((x) => [1, -1].map((rest) => [x, rest])))(
  'a sum beside a tie, of %d·2^54 + 2^55 and %d, is rounded by its last word',
  (x, rest) => {
    // The last two have many bits, so that products are split.
    const [a, b] = [
      Float64Array.of(x, 2 ** 55, 1, 2 ** 52 + 1, 0),
      Float64Array.of(2 ** 54, 1, rest, 0, 2 ** 52 + 1),
    ];
    const expected = roundInteger(BigInt(x) * 2n ** 54n + 2n ** 55n + BigInt(rest), 0);
    for (const engine of ['simd', 'typescript'] as const) {
      const { product, low, certificate } = exactProduct(matrix(1, 5, a), matrix(5, 1, b), engine);
      expect({ value: product.data[0], low: low[0] }).toEqual(expected);
      expect(certificate.byExactSum).toBe(1);
    }
  },
);

it.each([
  ['little', [1, 3, 2 ** 55], 4],
  ['too much', [1, 3, 2 ** 56], undefined],
  ['what is not finite', [1, 3, Number.NaN], undefined],
  ['what is near the upper end', [2 ** 401, 0, 0], undefined],
  ['what is near the lower end', [2 ** -441, 0, 0], undefined],
  ['zeros', [0, 0, 0], 1],
])('lines that span %s', (_, entries, count) => {
  const split = matrix(3, 1, Float64Array.of(1 + 2 ** -52, 1, 1));
  const operands = readOperands(matrix(1, 3, Float64Array.from(entries)), split);
  expect(digitsOf(operands, false)?.a.count).toBe(count);
});

it('lines longer than sums stay exact for are not cut', () => {
  const spanOf = (k: number) => {
    const ones = matrix(1, k, new Float64Array(k).fill(1 + 2 ** -52));
    return digitsOf(readOperands(ones, matrix(k, 1, ones.data)), false);
  };
  expect(spanOf(LONGEST)).toBeDefined();
  expect(spanOf(LONGEST + 1)).toBeUndefined();
  expect(spanOf(0)).toBeUndefined();
});

it('digits are as narrow as hold all bits, and so many of their products as fit 32 bits are added up', () => {
  for (const [bitsA, a, bitsB, b] of [
    [11, 1, 11, 1],
    [24, 2, 53, 4],
    [29, 3, 42, 3],
    [5, 1, 56, 4],
  ]) {
    const digits = cutIntoDigits(bitsA, a, bitsB, b);
    const fits = (width: number) => a * width >= bitsA && b * width >= bitsB;
    expect([fits(digits.width), fits(digits.width - 1)]).toEqual([true, false]);
    const top = (bits: number, count: number) => Math.max(0, bits - digits.width * (count - 1));
    expect(digits).toMatchObject({
      a: { count: a, top: top(bitsA, a) },
      b: { count: b, top: top(bitsB, b) },
    });
    for (let s = 0; s < a; s++) {
      for (let t = 0; t < b; t++) {
        const largest = (at: number, { count, top }: { count: number; top: number }) =>
          2 ** (at === count - 1 ? top : digits.width - 1);
        const product = largest(s, digits.a) * largest(t, digits.b);
        const terms = countDigitTerms(digits, s, t);
        expect(terms * product).toBeLessThan(2 ** 31);
        expect((terms + 1) * product).toBeGreaterThanOrEqual(2 ** 31);
      }
    }
  }
});

const RUNS = 2000;

/** Splits an integer into weights; the highest takes the remainder. */
function weightsOf(of: bigint, count: number, width: number): number[] {
  let rest = of;
  const weights: number[] = [];
  for (let d = 0; d < count - 1; d++) {
    const digit = BigInt.asIntN(width, rest);
    weights.push(Number(digit));
    rest = (rest - digit) >> BigInt(width);
  }
  return [...weights, Number(rest)];
}

it.each([2, 3, 5, 7].flatMap((count) => [8, 13, 14, 16].map((width) => [count, width])))(
  'sums of %d weights in base 2^%d beside ties are rounded as integers are',
  (count, width) => {
    const random = createRandom(count * width, 1);
    const upTo = (bits: number) => BigInt(Math.round(random.uniform(-1, 1) * 2 ** Math.min(bits, 52)));
    // A highest word of 53 bits, half of its last place, and a tail that ends anywhere below: any word can break the tie.
    const unit = BigInt(Math.max(0, width * (count - 1) - 1));
    const sums = Array.from({ length: RUNS }, () => {
      const tail = upTo(random.int(0, 52)) << BigInt(Math.max(0, random.int(0, Number(unit)) - 52));
      return (2n ** 52n + upTo(51)) * 2n ** unit + (random.int(0, 1) === 0 ? 2n ** unit / 2n : 0n) + tail;
    });
    const lines = sums.map((sum) => weightsOf(sum, count, width));
    const weights = Array.from({ length: count }, (_, d) => Float64Array.from(lines, (line) => line[d]));
    const [value, low] = [new Float64Array(RUNS), new Float64Array(RUNS)];
    const units = { row: 1, columns: new Float64Array(RUNS).fill(1) };
    roundDigitSums({ width, weights }, { from: 0, count: RUNS }, units, value, low, 0);
    expect(Array.from(value, (one, at) => ({ value: one, low: low[at] }))).toEqual(
      sums.map((sum) => roundInteger(sum, 0)),
    );
  },
);
