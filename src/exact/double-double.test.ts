import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentOf } from '../base/binary64.ts';
import { createRandom } from '../base/random.ts';
import { integerDot, toIntegers } from './bigint.ts';
import {
  addExactly,
  exactProductsBound,
  multiplyExactly,
  pairsFor,
  roundsAlike,
  splitProductsBound,
  sumExactProducts,
  sumSplitProducts,
  upperHalf,
} from './double-double.ts';
import { addToExpansion, roundToPair } from './expansion.ts';

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
  expect(exactProductsBound(4, 1, 2 ** -102)).toBe(0);
  expect(exactProductsBound(4, 1, 2 ** -103)).toBeGreaterThan(2 ** -106 * 20);
  expect(exactProductsBound(4, 1, 2 ** -103)).toBeLessThan(2 ** -106 * 20.1);
  expect(splitProductsBound(4, 1, 2 ** -102)).toBe(0);
  expect(splitProductsBound(4, 1, 2 ** -106)).toBeGreaterThan(2 ** -106 * 19);
});

it('the upper half of a double has 26 bits, and so has the rest', () => {
  const x = 1 + 2 ** -52 + 2 ** -26 + 2 ** -27;
  const high = upperHalf(x);
  expect(Number.isInteger(high * 2 ** 25)).toBe(true);
  expect(Math.abs(x - high)).toBeLessThanOrEqual(2 ** -26);
});

/** Returns the sum of the magnitudes of the products of a row and column j. */
function sizeOf(a: Float64Array, ai: number, bt: Float64Array, k: number, j: number): number {
  let size = 0;
  for (let t = 0; t < k; t++) size += Math.abs(a[ai + t] * bt[j * k + t]);
  return size;
}

describe.each([
  {
    ...{ name: 'exact', bits: 26, boundOf: exactProductsBound },
    sum: (...[a, ai, bt, k, j0, j1, pairs]: Parameters<typeof sumExactProducts>) => {
      for (let j = j0; j < j1; j++) pairs.magnitude[j - j0] = 2 ** (exponentOf(sizeOf(a, ai, bt, k, j)) + 1);
      sumExactProducts(a, ai, bt, k, j0, j1, pairs);
    },
  },
  {
    ...{ name: 'split', bits: 53, boundOf: splitProductsBound },
    sum: (...[a, ai, bt, k, j0, j1, pairs]: Parameters<typeof sumExactProducts>) => {
      const upper = bt.subarray(j0 * k, j1 * k).map(upperHalf);
      sumSplitProducts(a, ai, a.subarray(ai, ai + k).map(upperHalf), bt, upper, k, j0, j1, pairs);
    },
  },
])('sums of $name products', ({ bits, boundOf, sum }) => {
  /** All entries are multiples of 2^GRID. */
  const GRID = -30;
  const number = fc
    .tuple(fc.integer({ min: 1 - 2 ** bits, max: 2 ** bits - 1 }), fc.integer({ min: GRID, max: -GRID }))
    .map(([whole, exponent]) => whole * 2 ** exponent);
  const line = (k: number) => fc.array(number, { minLength: k, maxLength: k });
  const COLUMNS = 5;
  const operands = fc
    .integer({ min: 1, max: 9 })
    .chain((k) => fc.record({ k: fc.constant(k), rows: line(2 * k), columns: line(COLUMNS * k) }));

  it('of any columns are off by no more than their bound', () => {
    fc.assert(
      fc.property(operands, fc.nat(COLUMNS - 1), ({ k, rows, columns }, j0) => {
        const [a, bt] = [Float64Array.from(rows), Float64Array.from(columns)];
        const pairs = pairsFor(COLUMNS - j0);
        sum(a, k, bt, k, j0, COLUMNS, pairs);
        for (let j = j0; j < COLUMNS; j++) {
          const [hi, lo, magnitude] = [pairs.hi, pairs.lo, pairs.magnitude].map((of) => of[j - j0]);
          const exact = integerDot(toIntegers(a, k, k, GRID), toIntegers(bt, j * k, k, GRID));
          const found = [hi, lo].reduce((all, x) => all + BigInt(x * 2 ** (-2 * GRID)), 0n);
          const error = Math.abs(Number(exact - found)) * 2 ** (2 * GRID);
          expect(error).toBeLessThanOrEqual(boundOf(k, magnitude, 2 ** (2 * GRID)));
          expect(magnitude).toBeGreaterThanOrEqual(sizeOf(a, k, bt, k, j));
          expect(magnitude).toBeLessThanOrEqual(2 * sizeOf(a, k, bt, k, j));
        }
      }),
    );
  });
});

const random = createRandom(23, 1);
const draw = () =>
  random.int(-(2 ** 30), 2 ** 30) * (1 + random.int(0, 2 ** 20) * 2 ** -52) * 2 ** random.int(-40, 40);
const LEAST = -260;
const whole = (...x: number[]) => toIntegers(Float64Array.from(x), 0, x.length, LEAST);
const sumOf = (x: readonly bigint[]) => x.reduce((sum, one) => sum + one, 0n);

it('sums and products of two doubles are two doubles, the first of them rounded', () => {
  for (let run = 0; run < 200; run++) {
    const [x, y] = [draw(), draw()];
    const [sum, product] = [addExactly(x, y), multiplyExactly(x, y)];
    expect([sum[0], product[0]]).toEqual([x + y, x * y]);
    expect(sumOf(whole(...sum))).toBe(sumOf(whole(x, y)));
    const units = 2n ** BigInt(-LEAST);
    expect(sumOf(whole(...product)) * units).toBe(integerDot(whole(x), whole(y)));
  }
});

it('an expansion is the sum of what it grew by, its components ascending, and rounds to the nearest pair', () => {
  for (let run = 0; run < 100; run++) {
    const terms = Array.from({ length: random.int(1, 12) }, draw);
    const expansion: number[] = [];
    for (const term of terms) addToExpansion(expansion, term);
    const exact = sumOf(whole(...terms));
    expect(sumOf(whole(...expansion))).toBe(exact);
    expect(
      expansion.every((x, at) => x !== 0 && (at === 0 || Math.abs(x) > Math.abs(expansion[at - 1]))),
    ).toBe(true);
    const { value, low } = roundToPair(expansion);
    const rest = exact - sumOf(whole(value));
    expect(value).toBe(Number(exact) * 2 ** LEAST);
    expect(low).toBe(Number(rest) * 2 ** LEAST);
  }
});
