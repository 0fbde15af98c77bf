import { describe, expect, it } from 'vitest';
import { type Matrix, matrix, type RealArray } from '../matrix/dense.ts';
import { engineHere } from './engine.ts';
import { exactProduct } from './exact.ts';
import type { Certificate } from './exact-product.ts';
import { readOperands } from './operands.ts';
import { typescriptDigitSums, typescriptSums } from './typescript-sums.ts';

const noise = (at: number, seed: number) => {
  const x = Math.sin(at * 12.9898 + seed) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
};

const fills: Readonly<Record<string, (length: number, seed: number) => RealArray>> = {
  'f32, one window': (length, seed) => new Float32Array(length).map((_, at) => noise(at, seed)),
  'f32, a few lines too wide': (length, seed) =>
    new Float32Array(length).map((_, at) => noise(at, seed) * (at % 2501 === 7 ? 2 ** -60 : 1)),
  'f32, wide': (length, seed) =>
    new Float32Array(length).map((_, at) => noise(at, seed) * 2 ** Math.round(60 * noise(at, seed + 1))),
  f64: (length, seed) => new Float64Array(length).map((_, at) => noise(at, seed)),
  'f64 of 20 bits': (length, seed) =>
    new Float64Array(length).map((_, at) => Math.round(2 ** 20 * noise(at, seed)) * 2 ** -30),
  'odd entries': (length, seed) =>
    new Float32Array(length).map((_, at) => {
      const odd = [Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** -149, Number.NEGATIVE_INFINITY][at % 997];
      return odd ?? noise(at, seed);
    }),
};

const shapes: readonly [number, number, number][] = [
  [1, 1, 1],
  [1, 0, 3],
  [1, 256, 1],
  [3, 257, 5],
  [2, 513, 131],
  [129, 4, 2],
  [130, 70, 133],
];

const bytes = (data: Float64Array) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
const same = (x: Float64Array, y: Float64Array) =>
  Buffer.compare(bytes(x), bytes(y)) === 0 || firstDifference(x, y);
const firstDifference = (x: Float64Array, y: Float64Array) => {
  const at = x.findIndex((value, e) => !Object.is(value, y[e]));
  return at < 0 ? true : `entry ${at}: ${x[at]} and ${y[at]}`;
};

/** Returns a certificate in which error-free double-double sums count as sums of the first tier. */
function withoutExactSums({ byExactSum, byDoubleDouble, exactDoubleDouble, ...rest }: Certificate) {
  const exact = exactDoubleDouble + byExactSum;
  return { ...rest, byDoubleDouble: byDoubleDouble + byExactSum, exactDoubleDouble: exact };
}

it('has vectors here', () => {
  expect(engineHere()).toEqual({ engine: 'simd' });
});

describe.each(Object.keys(fills))('vectors give the bits of TypeScript: %s', (name) => {
  it.each(shapes)('%d×%d×%d', (m, k, n) => {
    const a: Matrix = matrix(m, k, fills[name](m * k, 1));
    const b: Matrix = matrix(k, n, fills[name](k * n, 2));
    const fast = exactProduct(a, b, 'simd');
    const plain = exactProduct(a, b, 'typescript');
    expect(same(fast.product.data, plain.product.data)).toBe(true);
    expect(same(fast.low, plain.low)).toBe(true);
    expect(withoutExactSums(plain.certificate)).toEqual(withoutExactSums(fast.certificate));
  });
});

it('sums from anchors what it can, and the few entries that it cannot one by one', () => {
  const of = (name: string) =>
    exactProduct(matrix(130, 70, fills[name](9100, 1)), matrix(70, 133, fills[name](9310, 2)), 'simd')
      .certificate;
  expect(of('f32, one window')).toMatchObject({ byExactSum: 130 * 133, worstAbsolute: 0 });
  expect(of('f32, wide')).toMatchObject({ byExactSum: 0 });
  const mixed = of('f32, a few lines too wide');
  expect(mixed.byExactSum).toBeGreaterThan(0);
  expect(mixed.byDoubleDouble).toBeGreaterThan(0);
});

describe.each([
  { name: 'sums', summer: typescriptSums, doubles: 2 ** 15, step: 2 },
  { name: 'digit sums', summer: typescriptDigitSums, doubles: 2 ** 13, step: 1 },
])('blocks of $name in TypeScript', ({ summer, doubles, step }) => {
  const blockOf = (m: number, k: number, n: number) =>
    summer(readOperands(matrix(m, k, new Float32Array(m * k)), matrix(k, n, new Float32Array(k * n))));

  it('are the whole product where it is small', () => {
    expect(blockOf(3, 4, 5)).toMatchObject({ rows: 3, cols: 5 });
    expect(blockOf(1, 4, 1)).toMatchObject({ rows: 1, cols: 1 });
  });

  it('have 128 rows, and as many columns as the cache holds', () => {
    const { rows, cols } = blockOf(129, 100, 400);
    expect(rows).toBe(128);
    expect(cols * 100).toBeLessThanOrEqual(doubles);
    expect((cols + step) * 100).toBeGreaterThan(doubles);
  });
});
