import { describe, expect, it } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { scaledEntries } from '../exact/scaled.ts';
import { absoluteProduct } from '../exact/sizes.ts';
import { matrix } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { compile } from '../plan/compile.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { singlePrecision } from '../precision/single.ts';
import { analyze } from './analysis.ts';
import { conventionErrors, inAnyConvention } from './any-convention.ts';
import { inComplexConvention } from './complex-convention.ts';

const f = Math.fround;
const u = 2 ** -24;

describe('alpha·A·B + beta·C of complex entries', () => {
  const [m, k, n] = [4, 12, 3];
  const half = (m / 2) * n;
  const random = createRandom(3, 1);
  const drawn = (rows: number, cols: number) =>
    matrix(
      rows,
      cols,
      Float32Array.from({ length: rows * cols }, () => random.uniform(-1, 1)),
    );
  const [a, b, c] = [drawn(m, k), drawn(k, n), drawn(m, n)];
  const computation = applyClaims(singlePrecision);
  const plan = compile({ algorithm: findAlgorithm('classical'), shape: { m, k, n } });
  const analysis = analyze(plan, a, b, computation);
  const factors = [0.75, 2 ** -12] as const;
  const [beta, imaginary] = [-1.25, { alpha: f(1 / 3), beta: f(-0.7) }];
  const gemm = { ...plainGemm({ m, k, n }), alpha: 0.75, beta, imaginary };
  const operands = { a, b, c };

  it.each(factors)(
    'is off by no more than its bound, which is no wider than it must be: alpha = %f + i/3',
    (alpha) => {
      const found = inComplexConvention(analysis, operands, { ...gemm, alpha }, computation, 0);
      const { product, low, certificate } = exactProduct(a, b);
      const scaled = { ...operands, alpha, beta, imaginary };
      const exact = scaledEntries({ value: product.data, low }, certificate, scaled, (e) => [
        Math.floor(e / n),
        e % n,
      ]).value;
      const sizes = absoluteProduct(a, b);
      for (let e = 0; e < m * n; e++) {
        const sign = e < half ? -1 : 1;
        const other = (e + half) % (m * n);
        const [own, turned] = [analysis.model.data[e], analysis.model.data[other]];
        const last = f(f(alpha * own) + f(sign * imaginary.alpha * turned));
        const added = f(f(beta * c.data[e]) + f(sign * imaginary.beta * c.data[other]));
        const size =
          alpha * sizes[e] +
          imaginary.alpha * sizes[other] +
          Math.abs(beta * c.data[e]) +
          Math.abs(imaginary.beta * c.data[other]);
        expect(Math.abs(found.model.data[e] - exact[e])).toBeLessThanOrEqual(found.bound.data[e]);
        expect(Math.abs(f(last + added) - exact[e])).toBeLessThanOrEqual(found.bound.data[e]);
        expect(found.bound.data[e]).toBeGreaterThan(k * u * size * 0.9);
        expect(found.bound.data[e]).toBeLessThan(3 * (k + 8) * u * size);
        expect(found.sigma.data[e]).toBeGreaterThan(0);
        expect(found.sigma.data[e]).toBeLessThan(found.bound.data[e]);
      }
      for (const each of [found.model, found.bound, found.sigma])
        expect([each.rows, each.cols]).toEqual([m, n]);
    },
  );

  it('reads neither A nor B with alpha = 0, and no C with beta = 0', () => {
    const nothing = { ...gemm, alpha: 0, imaginary: { alpha: 0, beta: 0 } };
    const { model } = inComplexConvention(analysis, operands, nothing, computation, 0);
    expect([...model.data]).toEqual(Array.from(c.data, (x) => f(beta * x)));
    const turned = { ...gemm, alpha: 0, beta: 0, imaginary: { alpha: 1, beta: 0 } };
    const product = inComplexConvention(analysis, { a, b }, turned, computation, 0).model.data;
    const expected = Array.from(analysis.model.data, (_, e, all: ArrayLike<number> = analysis.model.data) =>
      e < half ? -all[e + half] : all[e - half],
    );
    expect([...product]).toEqual(expected);
  });
});

describe('what alpha and beta add to the errors of A·B', () => {
  const gemm = { ...plainGemm({ m: 1, k: 100, n: 1 }), alpha: 3, beta: 2 };
  const none = { bound: 0, size: 0, added: 0, lost: 0 };
  const errors = (convention: object, precision = 'f32') =>
    conventionErrors(gemm, applyClaims(precisions.find(precision)), 0, convention);

  it.each([
    ['beta last', { beta: 'last' }, 2, 3],
    ['beta anywhere', {}, 103, 106],
    ['beta first', { beta: 'first' }, 103, 106],
  ] as const)('%s: of |beta·C| so many units', (_, convention, least, most) => {
    const bound = errors(convention).bound({ ...none, added: 1 });
    expect(bound).toBeGreaterThan(2 * least * u);
    expect(bound).toBeLessThan(2 * most * u);
  });

  it.each([
    ['beta last', { alpha: 'last', beta: 'last' }, 2],
    ['beta anywhere', {}, 3],
  ] as const)('%s: of |alpha|·(S + e) so many units, and |alpha|·e', (_, convention, sums) => {
    const of = { ...none, bound: 2 ** -10, size: 1 };
    const expected = 3 * (2 ** -10 + sums * u * (1 + 2 ** -10));
    expect(errors(convention).bound(of)).toBeGreaterThanOrEqual(expected);
    expect(errors(convention).bound(of)).toBeLessThan(expected * (1 + 1e-4));
  });

  it('are raised by what terms of second order add, of few bits and long sums too', () => {
    const of = { ...none, bound: 0.05, size: 1, added: 1 };
    const half = 2 ** -11;
    const loss = (101 * half) / (1 - 101 * half);
    const first = 3 * (0.05 + 3 * half * 1.05) + 2 * (loss + 3 * half);
    expect(errors({}, 'f16').bound(of)).toBeGreaterThan(first * (1 + loss));
    expect(errors({}, 'f16').bound(of)).toBeLessThan(first * (1 + 4 * loss));
  });

  it('of a product of one term are all that there may be', () => {
    const computation = applyClaims(singlePrecision);
    const [a, b, c] = [0.7, -1.3, 0.9].map((x) => matrix(1, 1, Float32Array.of(x)));
    const plan = compile({ algorithm: findAlgorithm('classical'), shape: { m: 1, k: 1, n: 1 } });
    const own = analyze(plan, a, b, computation);
    const one = { ...plainGemm({ m: 1, k: 1, n: 1 }), alpha: f(0.3), beta: f(-1.7) };
    const [x, y, z] = [a, b, c].map(({ data }) => data[0]);
    const exact = one.alpha * x * y + one.beta * z;
    for (const convention of [{}, { alpha: 'first' }, { alpha: 'last', beta: 'last' }] as const) {
      const { bound, model } = inAnyConvention(own, { a, b, c }, one, computation, 0, convention);
      const ways = [
        f(f(f(one.alpha * x) * y) + f(one.beta * z)),
        f(f(one.alpha * f(x * y)) + f(one.beta * z)),
        f(f(one.alpha * f(y)) * x + f(one.beta * z)),
      ];
      for (const way of [...ways, model.data[0]]) expect(Math.abs(way - exact)).toBeLessThan(bound.data[0]);
    }
  });

  it('are variances that add up: of A·B, of scaled entries, of both products and of D', () => {
    const of = { sigma: 2 ** -20, squares: 5, product: 7, value: 11, added: 13, lost: 0 };
    const sigma = (changed: object, more: Partial<typeof gemm> = {}, levels = 0, convention = {}) =>
      conventionErrors({ ...gemm, ...more }, applyClaims(singlePrecision), levels, convention).sigma({
        ...of,
        ...changed,
      });
    const last = { beta: 'last' } as const;
    const own = 9 * ((2 ** -20) ** 2 + 2 * u ** 2 * 5 + (u * 7) ** 2);
    const ofC = 3 * u ** 2 * 26 ** 2 + (u * 11) ** 2;
    expect(sigma({}, {}, 0, last) / Math.sqrt(own + ofC)).toBeCloseTo(1, 9);
    expect(sigma({}, { beta: 0 }) / Math.sqrt(own)).toBeCloseTo(1, 9);
    expect(sigma({ lost: 2 }, { beta: 0 })).toBeCloseTo(Math.sqrt(own) + 2, 12);
    // As a part of every partial sum, C is rounded 101/2 + 1 times, and 4 times besides; at each level in 16 more sums.
    const within = ((101 / 2 + 1) * u ** 2 + (101 / 3 + 1 / 2) * u ** 2) * 26 ** 2;
    const first = (levels: number) => own + ofC + (1 + 16 * levels) * u ** 2 * 26 ** 2 + within;
    expect(sigma({}) / Math.sqrt(first(0))).toBeCloseTo(1, 9);
    expect(sigma({}, {}, 2) / Math.sqrt(first(2))).toBeCloseTo(1, 9);
  });

  it('are less where alpha is 1 or no entry is read, and of entries only where alpha may come first', () => {
    const scaledFirst = (more: object, convention = {}) =>
      conventionErrors({ ...gemm, ...more }, applyClaims(singlePrecision), 0, convention).scaledFirst;
    expect([scaledFirst({}), scaledFirst({ alpha: 1 }), scaledFirst({ alpha: -1 })]).toEqual([
      true,
      false,
      false,
    ]);
    expect([scaledFirst({ k: 0 }), scaledFirst({ alpha: 0 })]).toEqual([false, false]);
    expect(scaledFirst({}, { alpha: 'last' })).toBe(false);
    expect(scaledFirst({ alpha: 1, imaginary: { alpha: 0, beta: 0 } })).toBe(true);
    const of = { ...none, bound: 2 ** -10, size: 1 };
    const unread = conventionErrors({ ...gemm, alpha: 0, beta: 0 }, applyClaims(singlePrecision), 0);
    // The loss of four operations by underflow.
    expect(unread.bound(of)).toBeLessThan(2 ** -120);
  });
});
