import { expect, it } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { isWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { scaledEntries } from '../exact/scaled.ts';
import { matrix } from '../matrix/dense.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { compile } from '../plan/compile.ts';
import { applyClaims } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { analyze } from './analysis.ts';
import { inAnyConvention } from './any-convention.ts';
import type { ScalingConvention } from './convention.ts';

const f = Math.fround;
type Compute = (a: Float32Array, b: Float32Array, alpha: number, beta: number, c: number) => number;
const sum = (terms: readonly number[], start = 0) => terms.reduce((total, term) => f(total + term), start);

/** Computations of one entry by convention, with each operation rounded once. */
const conventions: Readonly<Record<string, readonly [ScalingConvention, Compute]>> = {
  'alpha first, beta first': [
    { alpha: 'first', beta: 'first' },
    (a, b, alpha, beta, c) => sum([...a.map((x, p) => f(f(alpha * x) * b[p]))], f(beta * c)),
  ],
  'alpha first, beta last': [
    { alpha: 'first', beta: 'last' },
    (a, b, alpha, beta, c) => f(sum([...a.map((x, p) => f(f(alpha * x) * b[p]))]) + f(beta * c)),
  ],
  'alpha last, beta last': [
    { alpha: 'last', beta: 'last' },
    (a, b, alpha, beta, c) => f(f(alpha * sum([...a.map((x, p) => f(x * b[p]))])) + f(beta * c)),
  ],
};

/** Returns the largest share of its bound that an error used, over many products of an entry. */
function used(
  [, compute]: readonly [ScalingConvention, Compute],
  k: number,
  convention: ScalingConvention,
): number {
  const random = createRandom(k, 7);
  const draw = () => f(random.uniform(-1, 1));
  const plan = compile({ algorithm: findAlgorithm('classical'), shape: { m: 1, k, n: 1 } });
  const computation = applyClaims(singlePrecision);
  let most = 0;
  for (let run = 0; run < (isWhole ? 400 : 50); run++) {
    const [row, column] = [Float32Array.from({ length: k }, draw), Float32Array.from({ length: k }, draw)];
    const [alpha, beta, before] = [draw(), draw(), draw()];
    const [a, b] = [matrix(1, k, row), matrix(k, 1, column)];
    const operands = { a, b, c: matrix(1, 1, Float32Array.of(before)) };
    const gemm = { ...plainGemm({ m: 1, k, n: 1 }), alpha, beta };
    const { product, low, certificate } = exactProduct(a, b);
    const exact = scaledEntries(
      { value: product.data, low },
      certificate,
      { ...operands, alpha, beta },
      () => [0, 0],
    );
    const analysis = inAnyConvention(
      analyze(plan, a, b, computation),
      operands,
      gemm,
      computation,
      0,
      convention,
    );
    const error = Math.abs(compute(row, column, alpha, beta, before) - exact.value[0] - exact.low[0]);
    most = Math.max(most, error / analysis.bound.data[0]);
    expect(analysis.sigma.data[0]).toBeLessThanOrEqual(analysis.bound.data[0]);
  }
  return most;
}

it.each(Object.entries(conventions))(
  '%s is within the bound, which is no wider than it must be',
  (_, one) => {
    for (const k of [1, 2, 5]) {
      const [any, claimed] = [used(one, k, {}), used(one, k, one[0])];
      expect(any).toBeLessThanOrEqual(1);
      expect(claimed).toBeLessThanOrEqual(1);
      // Bounds cover the worst case. Random numbers come near it where there are few terms.
      expect(any).toBeGreaterThan(0.05);
      if (one[0].beta === 'last') expect(claimed).toBeGreaterThan(any);
    }
  },
);
