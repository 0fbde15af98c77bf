import { expect, it } from 'vitest';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { builtinCaseItems } from '../kernels/case-items.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { givenJob } from './given-product.ts';
import { readLarge } from './large.ts';
import {
  type InnerSums,
  joinInner,
  joinSides,
  type ProjectionSide,
  partsOfSide,
  type RowRange,
  sideReader,
} from './projection.ts';

const [m, k, n] = [60, 50, 70];
const random = createRandom(4, 1);
const drawn = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => random.uniform01() - 0.5),
  );

const spoilt = (
  x: Matrix,
  places: readonly (readonly [row: number, col: number, value: number])[],
): Matrix => {
  const data = x.data.slice();
  for (const [row, col, value] of places) data[row * x.cols + col] = value;
  return { ...x, data };
};

const marked = (size: number, line: number) =>
  Uint8Array.from({ length: size }, (_, at) => Number(at === line));

/** Returns a reader of a product with an input C. */
function readerOf(precision: string, isSpoilt: boolean) {
  const [a, b, c] = [drawn(m, k), drawn(k, n), drawn(m, n)];
  const d = exactProduct(a, b).product;
  const sum = matrix(
    m,
    n,
    Float32Array.from(d.data, (x, at) => 2 * x + 3 * c.data[at]),
  );
  const given = isSpoilt
    ? {
        a: spoilt(a, [[17, 3, Number.NaN]]),
        b: spoilt(b, [[40, 66, Number.POSITIVE_INFINITY]]),
        c: spoilt(c, [[59, 1, Number.NaN]]),
        d: spoilt(sum, [[30, 31, Number.NEGATIVE_INFINITY]]),
      }
    : { a, b, c, d: sum };
  const job = givenJob({ ...given, alpha: 2, beta: 3, precision }, builtinCaseItems);
  const marks = isSpoilt ? { isRowOut: marked(m, 17), isColOut: marked(n, 66) } : undefined;
  const read = sideReader(readLarge(job, given.d));
  return { gemm: job.gemm, read: (side: 'rows' | 'cols') => read(0, side, marks) };
}

/** Returns the numbers of blocks that are judged; those of others depend on the rows that are read with them. */
const judgedOf = ({ judged, bound, sigma, errors, slack, squares, ...rest }: ProjectionSide) => ({
  ...{ ...rest, judged },
  numbers: [bound, sigma, errors, slack, squares].map((all) => all.filter((_, at) => judged[at] === 1)),
});

const cut = (rows: number, at: readonly number[]): RowRange[] =>
  [...at, rows].map((to, part) => ({ from: part === 0 ? 0 : at[part - 1], to }));

it.each([
  ['f32', false],
  ['f32', true],
  ['tf32-f32', false],
  ['tf32-f32', true],
] as const)(
  'parts of rows and columns have the sums of the whole, in %s, with NaN: %s',
  (precision, isSpoilt) => {
    const { gemm, read } = readerOf(precision, isSpoilt);
    for (const [side, rows] of [
      ['rows', m],
      ['cols', n],
    ] as const) {
      const reader = read(side);
      const [whole] = partsOfSide(gemm, side).inner;
      expect(whole).toEqual({ from: 0, to: k });
      const inner: InnerSums = reader.readInner(whole);
      const joined = joinInner(cut(k, [1, 29]).map(reader.readInner));
      expect(joined).toEqual(inner);
      const all = reader.readOuter({ from: 0, to: rows }, inner);
      const parts = cut(rows, [7, 8, 45]).map((range) => reader.readOuter(range, joined));
      expect(judgedOf(joinSides(parts, parts).rows)).toEqual(judgedOf(all));
      expect([...all.judged].some((one) => one === 1)).toBe(true);
      expect([...all.judged].includes(0)).toBe(isSpoilt);
    }
  },
);

it('parts cover all rows, none of them twice', () => {
  const { inner, outer } = partsOfSide(
    { ...readerOf('f32', false).gemm, m: 2 ** 15, k: 2 ** 15, n: 999 },
    'cols',
  );
  for (const [parts, rows] of [
    [inner, 2 ** 15],
    [outer, 999],
  ] as const) {
    expect(parts.length).toBeGreaterThan(1);
    expect(parts[0].from).toBe(0);
    for (const [at, { from }] of parts.entries()) expect(from).toBe(at === 0 ? 0 : parts[at - 1].to);
    expect(parts[parts.length - 1].to).toBe(rows);
  }
});
