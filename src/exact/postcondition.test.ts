import { describe, expect, it } from 'vitest';
import { isWhole } from '../base/in-short.testing.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { computeEntry } from './alone.ts';
import { type ExactProduct, exactProduct } from './exact.ts';
import { goldProduct } from './gold.ts';
import { requireAllRounded, requireExact, requireExactInTurn } from './postcondition.ts';
import { ReferenceFault } from './rounded.ts';

const [m, k, n] = [5, 40, 7];
const a = matrix(
  m,
  k,
  new Float32Array(m * k).map((_, at) => Math.sin(at)),
);
const b = matrix(
  k,
  n,
  new Float64Array(k * n).map((_, at) => Math.cos(at)),
);

/** Checks all postconditions. */
function required(x: Matrix, y: Matrix, computed: ExactProduct): void {
  requireAllRounded(x, y, computed);
  requireExact(x, y, computed);
}

type Certificate = ExactProduct['certificate'];

/** Returns the product with changed arrays, and a certificate with other counts. */
function tampered(
  change: (value: Float64Array, low: Float64Array) => unknown,
  counts: Partial<Certificate> = {},
): ExactProduct {
  const { product, low, certificate } = exactProduct(a, b);
  change(product.data, low);
  return { product, low, certificate: { ...certificate, ...counts } };
}

describe('the postcondition of an exact product', () => {
  it.each([
    ['NaN', 'is NaN although its operands are finite', (x: Float64Array) => x.fill(Number.NaN)],
    ['NaN in one entry', 'entry (3, 2) is NaN', (x: Float64Array) => x.fill(Number.NaN, 23, 24)],
    ['infinite', '1 entries of finite operands', (x: Float64Array) => x.fill(Number.POSITIVE_INFINITY, 4, 5)],
    ['left out', 'is 0 with the remainder', (x: Float64Array) => x.fill(0)],
    ['rounded elsewhere', 'with the remainder 1', (_: Float64Array, low: Float64Array) => low.fill(1, 9, 10)],
    ['twice as large', 'but computed alone', (x: Float64Array) => x.set(x.map((y) => 2 * y))],
  ])('refuses values that are %s', (_, why, spoil) => {
    const spoiled = tampered(spoil);
    expect(() => required(a, b, spoiled)).toThrow(ReferenceFault);
    expect(() => required(a, b, spoiled)).toThrow(why);
  });

  it('refuses remainders that are none', () => {
    expect(() =>
      required(
        a,
        b,
        tampered((_, low) => low.fill(Number.NaN)),
      ),
    ).toThrow('remainder NaN');
    expect(() =>
      required(
        a,
        b,
        tampered((_, low) => low.fill(0)),
      ),
    ).toThrow('but computed alone');
  });

  it('refuses a certificate that does not count all entries', () => {
    for (const part of [{ entries: 34 }, { byDoubleDouble: 0 }, { overflowed: 1 }]) {
      expect(() =>
        required(
          a,
          b,
          tampered(() => {}, part),
        ),
      ).toThrow(ReferenceFault);
    }
  });

  it('meets a fault of any sixteenth part of a large product, wherever it is', () => {
    const x = matrix(2048, 1, new Float32Array(2048).fill(3));
    const y = matrix(1, 1024, new Float64Array(1024).fill(5));
    const large = exactProduct(x, y);
    for (let from = 0; from < 2 ** 21; from += isWhole ? 2 ** 17 : 2 ** 19) {
      large.product.data.fill(14, from, from + 2 ** 17);
      expect(() => required(x, y, large)).toThrow('but computed alone 15');
      large.product.data.fill(15);
    }
  });

  it('is asked of every large product, and of two in so many small ones as have 2 · 16384 entries', () => {
    const throws = (calls: number, product: ExactProduct, ...[x, y]: [Matrix, Matrix]) =>
      Array.from({ length: calls }, () => {
        try {
          requireExactInTurn(x, y, product);
          return 0;
        } catch {
          return 1;
        }
      }).reduce<number>((sum, one) => sum + one, 0);
    const spoiled = tampered((value) => value.fill(7));
    expect(throws(2 * Math.ceil(16384 / (m * n)), spoiled, a, b)).toBe(2);
    const [x, y] = [matrix(128, 1, new Float32Array(128).fill(3)), matrix(1, 128, new Float32Array(128))];
    const large = exactProduct(x, y);
    large.product.data.fill(1);
    expect(throws(3, large, x, y)).toBe(3);
    expect(() =>
      requireExactInTurn(
        a,
        b,
        tampered(() => {}, { entries: 34 }),
      ),
    ).toThrow('but certifies 34');
  });

  it.each([2, 7, 100, 362])('meets a fault of either half of a small product, of side %d', (size) => {
    const [x, y] = [new Float32Array(size).fill(3), new Float64Array(size).fill(5)];
    const operands = [matrix(size, 1, x), matrix(1, size, y)] as const;
    const small = exactProduct(...operands);
    const { data } = small.product;
    const half = Math.floor(data.length / 2);
    for (const [from, to] of [
      [0, half],
      [half, data.length],
    ]) {
      data.fill(14, from, to);
      expect(() => required(...operands, small)).toThrow('but computed alone 15');
      data.fill(15);
    }
  });

  it('takes NaN and infinity where operands are so, and nothing else there', () => {
    const special = matrix(m, k, a.data.slice());
    special.data[k] = Number.NaN;
    special.data[2 * k] = Number.POSITIVE_INFINITY;
    const computed = exactProduct(special, b);
    expect(computed.certificate.nonFinite).toBe(2 * n);
    expect(() => required(special, b, computed)).not.toThrow();
    computed.product.data[0] = Number.NaN;
    expect(() => required(special, b, computed)).toThrow('entry (0, 0) is NaN');
  });

  it('takes sums beyond the largest double, counted', () => {
    const [x, y] = [matrix(1, 2, Float64Array.of(1e200, 1e200)), matrix(2, 1, Float64Array.of(1e200, 1))];
    const computed = exactProduct(x, y);
    expect(computed.product.data[0]).toBe(Number.POSITIVE_INFINITY);
    expect(() => required(x, y, computed)).not.toThrow();
  });

  it('takes a tie that bits below the remainder have broken', () => {
    // The remainder of 1 + 2^-52 + 2^-53 − 2^-120 rounds to half a unit in the last place.
    const [x, y] = [
      matrix(1, 4, Float64Array.of(1, 2 ** -52, 2 ** -53, -(2 ** -120))),
      matrix(4, 1, new Float64Array(4).fill(1)),
    ];
    const { product, low } = exactProduct(x, y);
    expect([product.data[0], low[0]]).toEqual([1 + 2 ** -52, 2 ** -53]);
  });
});

it.each([0, 300, 500, -300, -537])('an entry alone is that of decimal arithmetic, at 2^%d', (exponent) => {
  for (let i = 0; i < m; i++) {
    const row = Float64Array.from(a.data.subarray(i * k, (i + 1) * k), (x) => x * 2 ** exponent);
    const column = Float64Array.from({ length: k }, (_, t) => b.data[t * n + i] * 2 ** exponent);
    const { data } = goldProduct(matrix(1, k, row), matrix(k, 1, column));
    expect(computeEntry(row, column).value).toBe(data[0]);
  }
});

it.each([
  ['large times small', [2 ** 1010, -(2 ** 1009), 3], [2 ** -500, 2 ** -501 * 3, 2 ** -52]],
  ['small times large', [2 ** -500, 3 * 2 ** -530], [2 ** 1020, 2 ** 1000]],
  ['sums beyond the largest double that come back', [2 ** 1000, 2 ** 1000, 1], [2 ** 24, -(2 ** 24), 1]],
  ['many large products', new Array(40).fill(2 ** 496), new Array(40).fill(1.5 * 2 ** 526)],
  ['products of which halves would underflow', [1 + 2 ** -52, 1], [(1 + 2 ** -52) * 2 ** -1000, 2 ** -1050]],
  ['zeros', [0, -0], [3, 5]],
  ['against zeros', [3, -5], [0, 0]],
  ['infinity', [1, Number.POSITIVE_INFINITY], [2, 3]],
  ['against infinity', [1, -1], [2, Number.POSITIVE_INFINITY]],
  ['opposite infinities', [1, 1], [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
])('an entry alone is that of decimal arithmetic: %s', (_, row, column) => {
  const [x, y] = [Float64Array.from(row), Float64Array.from(column)];
  const { data } = goldProduct(matrix(1, x.length, x), matrix(y.length, 1, y));
  expect(computeEntry(x, y).value).toBe(data[0]);
});
