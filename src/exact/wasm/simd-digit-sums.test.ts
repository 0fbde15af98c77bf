import { expect, it } from 'vitest';
import { itWhole } from '../../base/in-short.testing.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import type { Engine } from '../engine.ts';
import { exactProduct } from '../exact.ts';
import { readOperands } from '../operands.ts';
import { blockSolver } from '../solver.ts';
import { COLS, DEPTH, ROWS } from './simd-digit-sums.ts';

/** Returns a whole number of `bits` bits, different at each place. */
const noise = (at: number, bits: number): number => {
  const x = Math.sin(12.9898 * at + bits) * 43758.5453;
  return Math.round((x - Math.floor(x) - 0.5) * 2 ** bits);
};
const filled = (rows: number, cols: number, bits: number, seed: number): Matrix =>
  matrix(
    rows,
    cols,
    new Float64Array(rows * cols).map((_, at) => noise(at + seed, bits)),
  );

/** Returns a function that multiplies two matrices block by block, with its results. */
function blocksOf(a: Matrix, b: Matrix, engine: Engine) {
  const value = new Float64Array(a.rows * b.cols);
  const low = new Float64Array(a.rows * b.cols);
  const solve = blockSolver(readOperands(a, b), engine);
  return {
    value,
    low,
    solve: (j0: number, j1: number) => solve({ i0: 0, i1: a.rows, j0, j1 }, { value, low, firstRow: 0 }),
  };
}

itWhole.each([9, DEPTH + 5])('cuts the rows of each block, and each run of terms, anew: k = %d', (k) => {
  const [m, n] = [ROWS + 3, COLS + 3];
  const [a, b] = [filled(m, k, 53, 1), filled(k, n, 53, 2)];
  const [fast, plain] = [exactProduct(a, b, 'simd'), exactProduct(a, b, 'typescript')];
  expect(fast.certificate.byExactSum).toBe(m * n);
  expect(fast).toEqual(plain);
});

it.each([
  ['by digits', (at: number) => noise(at, 53)],
  ['in doubles', (at: number) => noise(at, 53) * 2 ** (at % 90)],
])('is not misled by a product %s between its blocks', (_, entry) => {
  const [a, b] = [filled(4, 9, 53, 1), filled(9, 16, 53, 2)];
  const other = (rows: number, cols: number) =>
    matrix(
      rows,
      cols,
      new Float64Array(rows * cols).map((_, at) => entry(at)),
    );
  const own = blocksOf(a, b, 'simd');
  const between = blocksOf(other(4, 9), other(9, 16), 'simd');
  own.solve(0, 8);
  between.solve(0, 8);
  own.solve(8, 16);
  const { product, low } = exactProduct(a, b, 'typescript');
  expect(own.value).toEqual(product.data);
  expect(own.low).toEqual(low);
});
