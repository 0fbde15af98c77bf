import { expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { isWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { matrix } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { compile } from '../plan/compile.ts';
import type { Coding } from '../precision/coding/coding.ts';
import { decodeCoded } from '../precision/coding/decode-coded.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { analyze } from './analysis.ts';
import { rawSizes, withZeroPointsLast } from './zero-points-last.ts';

const f = Math.fround;
const precision = precisions.find('uint8-tensor');
const coding = precision.coded?.a as Coding;
const computation = applyClaims(precision, { arithmetic: { zeroPoints: 'last' } });

/** Returns a row times a column of bytes around a zero point, most of them near it. */
function product(k: number, seed: number) {
  const random = createRandom(seed, 3);
  const made = (of: 'a' | 'b') => {
    const zero = random.int(200, 255);
    const data = Float32Array.from({ length: k }, () => Math.min(255, Math.max(0, zero + random.int(-3, 3))));
    const elements = of === 'a' ? matrix(1, k, data) : matrix(k, 1, data);
    const one = (x: number) => matrix(1, 1, Float32Array.of(x));
    const coded = { elements, scales: [one(1)], zeros: one(zero) };
    return { coded, decoded: decodeCoded(coded, of, coding), zero };
  };
  const [a, b] = [made('a'), made('b')];
  const operands = { a: a.decoded, b: b.decoded, coded: { a, b } };
  const { product: exact, low } = exactProduct(a.decoded, b.decoded);
  return { operands, raw: [a, b] as const, exact: exact.data[0] + low[0] };
}

/** Computes Σab − zΣb − yΣa + kzy, with each operation rounded once. */
function fromSums(k: number, [a, b]: ReturnType<typeof product>['raw']): number {
  let [sum, left, right] = [0, 0, 0];
  for (let p = 0; p < k; p++) {
    const [x, y] = [a.coded.elements.data[p], b.coded.elements.data[p]];
    [sum, left, right] = [f(sum + f(x * y)), f(left + x), f(right + y)];
  }
  const less = f(f(sum - f(b.zero * left)) - f(a.zero * right));
  return f(less + f(f(k * a.zero) * b.zero));
}

test('zero points that are subtracted from sums cost more than any order of products, and no more than is allowed', () => {
  const k = 3000;
  const plan = compile({ algorithm: findAlgorithm('classical'), shape: { m: 1, k, n: 1 } });
  const gemm = plainGemm({ m: 1, k, n: 1 });
  let [ofFirst, ofLast] = [0, 0];
  for (let seed = 1; seed <= (isWhole ? 60 : 6); seed++) {
    const { operands, raw, exact } = product(k, seed);
    const sizes = rawSizes(operands, gemm, { precision });
    const own = analyze(plan, operands.a, operands.b, computation);
    const { bound, sigma, model } = withZeroPointsLast(
      own,
      analyze(plan, sizes.a, sizes.b, computation),
      computation,
    );
    const error = Math.abs(fromSums(k, raw) - exact);
    ofFirst = Math.max(ofFirst, error / own.bound.data[0]);
    ofLast = Math.max(ofLast, error / bound.data[0]);
    expect(error).toBeLessThan(6 * sigma.data[0]);
    expect(model.data[0]).toBe(own.model.data[0]);
  }
  expect(ofFirst).toBeGreaterThan(1.5);
  expect(ofLast).toBeLessThanOrEqual(1);
  expect(ofLast).toBeGreaterThan(2 ** -14);
});

test('raw sizes are those of elements and zero points together, batch by batch', () => {
  const { operands, raw } = product(4, 9);
  const gemm = plainGemm({ m: 1, k: 4, n: 1 });
  const { a, b } = rawSizes(operands, gemm, { precision });
  for (const [at, size] of [a, b].entries())
    expect([...size.data]).toEqual([...raw[at].coded.elements.data].map((x) => x + raw[at].zero));
});

test('six roundings of the sum of all sizes are added to what sums of raw elements err by', () => {
  const one = (model: number, bound: number, sigma: number) => ({
    model: matrix(1, 1, Float64Array.of(model)),
    bound: matrix(1, 1, Float64Array.of(bound)),
    sigma: matrix(1, 1, Float64Array.of(sigma)),
  });
  const { model, bound, sigma } = withZeroPointsLast(one(-7, 0, 0), one(1000, 0.25, 2 ** -14), computation);
  const beside = 6 * computation.precision.accumulated.unitRoundoff;
  expect(model.data[0]).toBe(-7);
  expect(bound.data[0]).toBeCloseTo(0.25 + beside * 1000.25, 12);
  expect(sigma.data[0]).toBeCloseTo(Math.hypot(2 ** -14, beside * 1000), 12);
});
