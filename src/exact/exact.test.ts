import { describe, expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import { type Matrix, matrix, transpose } from '../matrix/dense.ts';
import { exactProduct, exactRows } from './exact.ts';
import { goldProduct } from './gold.ts';
import { takeCols, takeRows } from './sampled.ts';

const row = (entries: number[]) => matrix(1, entries.length, Float64Array.from(entries));
const dot = (a: number[], b: number[]) => {
  const { product, low, certificate } = exactProduct(row(a), transpose(row(b)));
  return { value: product.data[0], low: low[0], certificate };
};

describe('exact product', () => {
  it('is the matrix product', () => {
    const a = matrix(2, 3, Float32Array.of(1, 2, 3, 4, 5, 6));
    const b = matrix(3, 2, Float64Array.of(7, 8, 9, 10, 11, 12));
    const { product } = exactProduct(a, b);
    expect(product).toEqual(matrix(2, 2, Float64Array.of(58, 64, 139, 154)));
  });

  it.each([
    [0, 3, 2],
    [2, 0, 3],
    [2, 3, 0],
    [0, 0, 0],
  ])('of an empty %d×%d×%d is zeros', (m, k, n) => {
    const { product, low, certificate } = exactProduct(
      matrix(m, k, new Float32Array(m * k)),
      matrix(k, n, new Float32Array(k * n)),
    );
    expect(product).toEqual(matrix(m, n, new Float64Array(m * n)));
    expect(low).toEqual(new Float64Array(m * n));
    expect(certificate.byDoubleDouble).toBe(m * n);
  });

  it('refuses shapes that do not match', () => {
    expect(() => exactProduct(row([1, 2]), row([1, 2]))).toThrow('A is 1×2 and B is 1×2');
  });

  it('certifies small integers as exact at once, ties included', () => {
    const { value, low, certificate } = dot([2 ** 26, 1], [2 ** 27, 1]);
    expect([value, low]).toEqual([2 ** 53, 1]);
    expect(certificate).toMatchObject({ byDoubleDouble: 1, exactDoubleDouble: 1, worstAbsolute: 0 });
  });

  it('leaves what a double-double cannot decide to an expansion', () => {
    const x = 1 + 2 ** -52;
    const { value, low, certificate } = dot([x, -1, -1, 2 ** -80], [x, 1, 2 ** -51, 2 ** -80]);
    expect([value, low]).toEqual([2 ** -104, 2 ** -160]);
    expect(certificate.byExpansion).toBe(1);
  });

  it('sums by digits where all lines span little, though their products are split', () => {
    const x = 1 + 2 ** -52;
    for (const engine of ['simd', 'typescript'] as const) {
      const { product, low, certificate } = exactProduct(
        row([x, -1, -1]),
        transpose(row([x, 1, 2 ** -51])),
        engine,
      );
      expect([product.data[0], low[0]]).toEqual([2 ** -104, 0]);
      expect(certificate).toMatchObject({ byExactSum: 1, worstAbsolute: 0 });
    }
  });

  it('sums far apart exponents in an expansion that grows', () => {
    const { value, low, certificate } = dot([1e120, 3, -1e120, 2 ** -400], [1e120, 1, 1e120, 1]);
    expect([value, low]).toEqual([3, 2 ** -400]);
    expect(certificate.byExpansion).toBe(1);
  });

  it('leaves what could overflow or underflow on the way to integers', () => {
    const { value, low, certificate } = dot([1e300, 1, -1e300], [1e300, 1, 1e300]);
    expect([value, low]).toEqual([1, 0]);
    expect(certificate.byBigInt).toBe(1);
    expect(dot([3 * 2 ** -1074], [0.5])).toMatchObject({ value: 2 ** -1073, certificate: { byBigInt: 1 } });
  });

  it('does not split a factor that the split would overflow', () => {
    const big = (1 + 2 ** -52) * 2 ** 1005;
    const small = (1 + 2 ** -52) * 2 ** -400;
    const { value, low, certificate } = dot([big], [small]);
    expect([value, low]).toEqual([(1 + 2 ** -51) * 2 ** 605, 2 ** 501]);
    expect(certificate.byBigInt).toBe(1);
    expect(dot([small], [big])).toEqual({ value, low, certificate });
  });

  it('counts values beyond the largest double', () => {
    const { value, low, certificate } = dot([Number.MAX_VALUE, 2 ** 970], [1, 1]);
    expect([value, low]).toEqual([Number.POSITIVE_INFINITY, 0]);
    expect(certificate).toMatchObject({ overflowed: 1, byBigInt: 1, nonFinite: 0 });
    expect(dot([Number.MAX_VALUE, 2 ** 970 * (1 - 2 ** -53)], [1, 1]).value).toBe(Number.MAX_VALUE);
  });

  it('gives the IEEE answer for NaN and infinities, which finite overflow does not disturb', () => {
    const { POSITIVE_INFINITY: inf, NaN: nan } = Number;
    expect(dot([nan, 1], [1, inf]).value).toBeNaN();
    expect(dot([0], [inf]).value).toBeNaN();
    expect(dot([inf, inf], [1, -1]).value).toBeNaN();
    expect(dot([-1e300, inf], [1e300, 1])).toMatchObject({
      value: inf,
      low: 0,
      certificate: { nonFinite: 1 },
    });
  });

  itWhole('bounds the error before rounding by far less than the last bit', () => {
    const k = 300;
    const a = new Float64Array(k * k).map((_, at) => Math.sin(at + 1));
    const b = new Float64Array(k * k).map((_, at) => Math.cos(3 * at));
    const { certificate } = exactProduct(matrix(k, k, a), matrix(k, k, b));
    expect(certificate.byDoubleDouble).toBe(k * k);
    expect(certificate.worstAbsolute).toBeGreaterThan(0);
    expect(certificate.worstAbsolute).toBeLessThan(k * k * k * 2 ** -106);
  });

  itWhole('crosses the borders of its blocks and row groups', () => {
    const [m, k, n] = [131, 5000, 9];
    const fill = (length: number, scale: number) =>
      new Float32Array(length).map((_, at) => Math.round(100 * Math.sin(at * scale)));
    const a = matrix(m, k, fill(m * k, 1.1));
    const b = matrix(k, n, fill(k * n, 0.7));
    const expected = new Float64Array(m * n);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) {
        for (let t = 0; t < k; t++) expected[i * n + j] += a.data[i * k + t] * b.data[t * n + j];
      }
    }
    expect(exactProduct(a, b).product.data).toEqual(expected);
    expect(exactProduct(a, b, 'typescript').product.data).toEqual(expected);
    expect(exactRows(a, b, 126, 130).value).toEqual(expected.slice(126 * n, 130 * n));
    const wide = asF64(a, 2 ** -40);
    const gold = goldProduct(takeRows(wide, [128]), takeCols(b, [8])).data[0];
    for (const engine of ['simd', 'typescript'] as const) {
      expect(exactProduct(wide, b, engine).product.data[128 * n + 8]).toBe(gold);
    }
  });
});

/** Returns the same matrix with entries of 53 bits, so that products have to be split. */
function asF64(x: Matrix, extra: number): Matrix<Float64Array> {
  return matrix(
    x.rows,
    x.cols,
    Float64Array.from(x.data, (entry) => entry * (1 + extra)),
  );
}
