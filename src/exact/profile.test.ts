import { expect, it } from 'vitest';
import { exponentOf, lowestBit } from '../base/binary64.ts';
import { createRandom } from '../base/random.ts';
import { matrix } from '../matrix/dense.ts';
import { joinShares, productsAreExact, profileShare, readOperands } from './operands.ts';
import { emptyLines, exponentOf32, lowestBit32, profile, ZERO_GRID, ZERO_TOP } from './profile.ts';

/** Returns the exponents of the highest and the lowest bit of a number, found by halving and doubling. */
function bitsOf(x: number): { readonly high: number; readonly low: number } {
  let [rest, low] = [Math.abs(x), 0];
  for (; !Number.isInteger(rest); low--) rest *= 2;
  for (; rest % 2 === 0; low++) rest /= 2;
  return { low, high: low + BigInt(rest).toString(2).length - 1 };
}

it.each([
  ['f32', Float32Array, 149],
  ['f64', Float64Array, 1074],
] as const)(
  'a profile of %s has the highest and lowest bits of each line, and the widest entry',
  (_, Entries, least) => {
    const random = createRandom(7, 1);
    const draw = () => {
      const special = [0, 0, -0, Number.NaN, Number.NEGATIVE_INFINITY, 2 ** -least, 3 * 2 ** (2 - least)];
      if (random.int(0, 3) === 0) return special[random.int(0, special.length - 1)];
      return (random.int(0, 1) - 0.5) * random.int(1, 2 ** random.int(1, 24)) * 2 ** random.int(-60, 60);
    };
    for (let run = 0; run < 20; run++) {
      const [rows, cols] = [random.int(0, 5), random.int(0, 5)];
      // A part of its memory, like a matrix of a batch.
      const data = Entries.from(Array.from({ length: rows * cols + 2 }, draw)).subarray(2);
      for (const lines of ['rows', 'columns'] as const) {
        const count = lines === 'rows' ? rows : cols;
        const entries = Array.from({ length: count }, (_, line) =>
          [...data].filter((_, e) => (lines === 'rows' ? Math.floor(e / cols) : e % cols) === line),
        );
        const bits = entries.map((line) => line.filter((x) => x !== 0 && Number.isFinite(x)).map(bitsOf));
        expect(profile(matrix(rows, cols, data), lines)).toEqual({
          top: Int32Array.from(bits, (line) => Math.max(ZERO_TOP, ...line.map(({ high }) => high))),
          grid: Int32Array.from(bits, (line) => Math.min(ZERO_GRID, ...line.map(({ low }) => low))),
          finite: Uint8Array.from(entries, (line) => Number(line.every(Number.isFinite))),
          width: Math.max(0, ...bits.flat().map(({ high, low }) => high - low + 1)),
        });
      }
    }
  },
);

it('products are exact in doubles where entries have 53 bits together', () => {
  const one = (bits: number) => matrix(1, 1, Float64Array.of(2 ** bits - 1));
  expect(productsAreExact(readOperands(one(26), one(27)))).toBe(true);
  expect(productsAreExact(readOperands(one(27), one(27)))).toBe(false);
});

it('shares of lines are profiled as the whole', () => {
  const random = createRandom(3, 1);
  for (const [m, k, n, of] of [
    [7, 5, 3, 2],
    [2, 9, 11, 4],
    [1, 0, 0, 3],
  ]) {
    const entries = (count: number) => Float32Array.from({ length: count }, () => random.int(-9, 9) / 8);
    const [a, b] = [matrix(m, k, entries(m * k)), matrix(k, n, entries(k * n))];
    for (const { data } of [a, b]) if (data.length > 0) data[0] = Math.PI;
    const shared = {
      ...{ shape: { m, k, n }, a: a.data, b: b.data },
      ...{ rows: emptyLines(m), cols: emptyLines(n) },
    };
    const widths = Array.from({ length: of }, (_, at) => profileShare(shared, { at, of }));
    expect(joinShares(shared, widths)).toEqual(readOperands(a, b));
  }
});

it('reads an f32 as the double of the same value is read', () => {
  const edges = [1, -1, 1.5, 3, 2 ** -126, 2 ** -149, 3 * 2 ** -149, 2 ** -127, (2 - 2 ** -23) * 2 ** 127];
  const random = Array.from({ length: 500 }, (_, at) => Math.sin(at + 1) * 2 ** ((at % 270) - 140));
  for (const x of Float32Array.from([...edges, ...random])) {
    const [word] = new Uint32Array(Float32Array.of(x).buffer);
    expect([exponentOf32(word), lowestBit32(word)]).toEqual([exponentOf(x), lowestBit(x)]);
  }
});
