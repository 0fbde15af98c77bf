import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { anyBound, anySigma, orderSigma } from './any-schedule.ts';
import { runModel } from './model.ts';
import { growthOf, meanSquareOf, roundingsOf } from './table-growth.ts';

const strassen = findAlgorithm('strassen');
const row = (...entries: number[]): Matrix => matrix(1, entries.length, Float64Array.from(entries));
const column = (...entries: number[]): Matrix => matrix(entries.length, 1, Float64Array.from(entries));
const ones = (rows: number, cols: number) => matrix(rows, cols, new Float64Array(rows * cols).fill(1));
const near = (expected: number) => [expected * (1 - 1e-9), expected * (1 + 1e-9)] as const;

/** Returns a product by levels of Strassen's table. */
const recursed = (a: Matrix, b: Matrix, { levels = 1, precision = 'f32' } = {}) => ({
  ...{ table: strassen, levels, a, b },
  computation: applyClaims(precisions.find(precision)),
});

describe("Strassen's table", () => {
  // C11 = M1 + M4 − M5 + M7: of 4 + 2 + 2 + 4 products of entries, 2 + 1 + 1 + 4 have one inner index, 1 + 1 + 1 + 4 the same one.
  it('lets sizes grow as its products do, level by level', () => {
    const growth = { all: 12, same: 7, cross: 4, products: 4, factors: { a: 2, b: 2 } };
    expect(growthOf(strassen, 1)).toEqual(growth);
    expect(growthOf(strassen, 0)).toMatchObject({ all: 1, same: 1, cross: 0, products: 1 });
    const two = { all: 144, same: 49, cross: 4 * 12 + 8 * 4, products: 16, factors: { a: 4, b: 4 } };
    expect(growthOf(strassen, 2)).toEqual(two);
  });

  it('rounds sums of two blocks, of two blocks and of four products', () => {
    expect(roundingsOf(strassen, 1)).toEqual({ a: 1, b: 1, c: 3 });
    expect(roundingsOf(strassen, 2)).toEqual({ a: 3, b: 3, c: 15 });
  });
});

it('a factor that is no power of two rounds once a level', () => {
  const base = { m: 1, k: 1, n: 1 };
  expect(roundingsOf({ base, u: [[3]], v: [[-4]], w: [[1]] }, 2)).toEqual({ a: 2, b: 0, c: 0 });
  expect(roundingsOf({ base, u: [[1]], v: [[0.75]], w: [[-6]] }, 3)).toEqual({ a: 0, b: 3, c: 3 });
  expect(roundingsOf({ base, u: [[1]], v: [[1 / 3]], w: [[-3]] }, 3)).toEqual({ a: 0, b: 6, c: 3 });
});

describe('leaf products of entries of one sign', () => {
  const times = (x: readonly number[], y: readonly number[]) =>
    x.flatMap((each) => y.map((other) => each * other));
  const sumOf = (terms: readonly number[]) => terms.reduce((sum, x) => sum + x, 0);
  /** Returns the largest magnitude of the sum of some of the terms. */
  const most = (terms: readonly number[]) =>
    Math.max(sumOf(terms.filter((x) => x > 0)), -sumOf(terms.filter((x) => x < 0)));

  it.each(['strassen', 'winograd', 'laderman'])(
    'of two levels of %s weigh as their coefficients let them',
    (name) => {
      const { base, u, v, w } = findAlgorithm(name);
      const pairs = u.flatMap((_, r) => u.map((__, s) => [r, s] as const));
      const weigh = (size: (terms: readonly number[]) => number) =>
        Math.max(
          ...times(w[0], w[0]).map((_, at) => {
            const [c, d] = [Math.floor(at / w[0].length), at % w[0].length];
            return sumOf(
              pairs.map(
                ([r, s]) => (w[r][c] * w[s][d] * size(times(u[r], u[s])) * size(times(v[r], v[s]))) ** 2,
              ),
            );
          }),
        );
      const found = meanSquareOf({ base, u, v, w }, 2, { a: true, b: true });
      expect(found / weigh(most)).toBeGreaterThanOrEqual(1);
      expect(found / weigh(most)).toBeLessThan(1.5);
      const any = meanSquareOf({ base, u, v, w }, 2, { a: false, b: false });
      expect(any / weigh((terms) => sumOf(terms.map(Math.abs)))).toBeCloseTo(1, 12);
    },
  );

  it('are expected to err by no more than 600 times what three levels of Winograd do', () => {
    const random = createRandom(7, 2);
    const n = 128;
    const drawn = () =>
      matrix(
        n,
        n,
        Float32Array.from({ length: n * n }, () => random.uniform(2, 5)),
      );
    const [a, b, algorithm] = [drawn(), drawn(), findAlgorithm('winograd')];
    const { product } = exactProduct(a, b);
    const computation = applyClaims(precisions.find('f32'));
    const plan = compile({ algorithm, shape: { m: n, k: n, n }, depth: { levels: 3 } });
    const { data } = runModel(plan, a, b, computation);
    const worst = Math.max(...Array.from(data, (c, e) => Math.abs(c - product.data[e])));
    const expected = anySigma({ table: algorithm, levels: 3, a, b, computation }, Math.max(...product.data));
    expect(expected / worst).toBeGreaterThan(1 / 6);
    expect(expected / worst).toBeLessThan(600);
  });
});

describe('whatever the schedule of a product', () => {
  // D = 4·1 + 1·5 + 2·2 + 3·1. The two largest of each, matched, are 4·5 + 3·2.
  const [a, b] = [row(4, -1, 2, 3), column(1, 5, -2, 1)];
  const mass = 7 * 16 + 4 * 26;
  const gamma = (k: number, u: number) => (k * u) / (1 - k * u);
  const grown = (u: number, by: number) => Math.expm1(6 * Math.log1p(u) + Math.log1p(by));

  it.each([
    ['f32', 2 ** -24],
    ['f64', 2 ** -53],
  ])(
    'its bound in %s is G·D + (F − S)·X times what six roundings and a leaf product lose',
    (precision, u) => {
      const [least, most] = near(mass * grown(u, gamma(4, u)));
      const bound = anyBound(recursed(a, b, { precision }));
      expect(bound).toBeGreaterThanOrEqual(least);
      expect(bound).toBeLessThanOrEqual(most);
    },
  );

  it('what the order of sums adds to what is expected is more than nothing', () => {
    expect(orderSigma(recursed(a, b, { precision: 'f16' }))).toBeGreaterThan(0);
  });

  it('is bounded by nothing where sums may overflow, or an operand is no number', () => {
    expect(anyBound(recursed(row(1e37), column(1)))).toBeLessThan(1e32);
    expect(anyBound(recursed(row(1e38), column(7)))).toBe(Infinity);
    expect(anyBound(recursed(row(3e38), column(1e-30)))).toBe(Infinity);
    expect(anyBound(recursed(row(1, Number.NaN), column(1, 1)))).toBe(Infinity);
  });

  it('the error to expect is no less than that of the order of its sums, nor than what plans make', () => {
    // 11 products of entries of squares meet in a block, each of size 2. Blocks of A and of B are summed too, and one more.
    const sigmas = (levels: number) => anySigma(recursed(ones(1, 2), ones(2, 1), { levels }), 0);
    const ofOrder = orderSigma(recursed(ones(1, 2), ones(2, 1)));
    const expected = 11 * sigmas(0) ** 2 + 2 ** -48 * (2 * 11 * 2 + 2) + ofOrder ** 2;
    expect(sigmas(1) ** 2 / expected).toBeCloseTo(1, 9);
    const random = createRandom(5, 1);
    const n = 32;
    const drawn = () =>
      matrix(
        n,
        n,
        Float32Array.from({ length: n * n }, () => random.uniform(-1, 1)),
      );
    const [x, y] = [drawn(), drawn()];
    const { product } = exactProduct(x, y);
    const largest = Math.max(...product.data.map(Math.abs));
    for (const levels of [1, 2]) {
      const of = recursed(x, y, { levels });
      const plan = compile({ algorithm: strassen, shape: { m: n, k: n, n }, depth: { levels } });
      const errors = Float64Array.from(
        runModel(plan, x, y, of.computation).data,
        (c, e) => c - product.data[e],
      );
      const typical = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0)) / n;
      const expected = anySigma(of, largest);
      expect(expected).toBeGreaterThan(typical);
      expect(expected).toBeLessThan(typical * 12 ** levels);
    }
  });

  it('no inner block has more than half of 256 columns, and of 64 one may have all', () => {
    const sigma = (k: number) => orderSigma(recursed(ones(1, k), ones(k, 1)));
    expect(sigma(64) / sigma(32)).toBeCloseTo(Math.SQRT2, 9);
    expect(sigma(256) / sigma(64)).toBeCloseTo(Math.SQRT2, 9);
  });
});
