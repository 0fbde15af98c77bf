import { describe, expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom } from '../base/random.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { type Arithmetic, emulated } from '../precision/arithmetic.ts';
import { MIN_NORMAL32 } from '../precision/modeled-arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { analyze } from './analysis.ts';

const nearest = emulated;
const flushing: Arithmetic = { ...nearest, subnormals: { operands: true, below: MIN_NORMAL32 } };

const u = 2 ** -24;
const square = (...entries: number[]) => matrix(2, 2, Float32Array.from(entries));

function analysisOf(name: string, levels: number, a: Matrix, b: Matrix, arithmetic: Arithmetic = nearest) {
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const plan = compile({ algorithm: findAlgorithm(name), shape, depth: { levels } });
  return analyze(plan, a, b, singleComputation(arithmetic));
}

const sigmaOf = (...args: Parameters<typeof analysisOf>) => analysisOf(...args).sigma.data;

describe('the sigma of a leaf product', () => {
  test('is u·√((k/2 + 1)·Σ x²y²)', () => {
    for (const k of [1, 3, 64]) {
      const random = createRandom(k);
      const a = matrix(
        1,
        k,
        Float32Array.from({ length: k }, () => random.uniform(-1, 1)),
      );
      const b = matrix(
        k,
        1,
        Float32Array.from({ length: k }, () => random.uniform(-1, 1)),
      );
      const squares = a.data.reduce((sum, x, p) => sum + (x * b.data[p]) ** 2, 0);
      const sigma = sigmaOf('classical', 0, a, b)[0];
      expect(sigma / (u * Math.sqrt((k / 2 + 1) * squares))).toBeCloseTo(1, 6);
    }
  });

  test('is each entry’s own', () => {
    const sigma = sigmaOf('classical', 0, square(1, 0, 0, 2 ** 20), square(1, 0, 0, 1));
    expect(sigma[3] / sigma[0]).toBeCloseTo(2 ** 20, 0);
    expect(sigma[1]).toBeLessThan(2 ** -140);
  });
});

describe('the sigma of a recursion', () => {
  test('adds variances, and that of a rounding for each sum', () => {
    // C11 = A11·B11 + A12·B21: variances 3/2·u²·(5² + 14²) of two products with k = 1, and (u·19)².
    const sigma = sigmaOf('classical', 1, square(1, 2, 3, 4), square(5, 6, 7, 8));
    expect(sigma[0] / (u * Math.sqrt(1.5 * (25 + 196) + 19 ** 2))).toBeCloseTo(1, 6);
    expect(sigma[3] / (u * Math.sqrt(1.5 * (18 ** 2 + 32 ** 2) + 50 ** 2))).toBeCloseTo(1, 6);
  });

  test('takes the variances of sums of operands through the product', () => {
    const sigma = sigmaOf('strassen', 1, square(1, 0, 0, 1), square(1, 0, 0, 1));
    // M1 = (A11 + A22)(B11 + B22), both sums 2 ± 2u: u²·(3/2·16 + 4·4 + 4·4). C11 has at least that.
    expect(sigma[0]).toBeGreaterThan(u * Math.sqrt(56));
    expect(sigma[0]).toBeLessThan(2 * u * Math.sqrt(56));
  });

  test('stays below the running bound', () => {
    const random = createRandom(3);
    const entries = () => Float32Array.from({ length: 400 }, () => random.uniform(-1, 1));
    const [a, b] = [matrix(20, 20, entries()), matrix(20, 20, entries())];
    for (const name of ['classical', 'strassen', 'winograd']) {
      for (const levels of [0, 1, 2, 3]) {
        const { sigma, bound } = analysisOf(name, levels, a, b);
        expect(sigma.data.every((x, e) => x < bound.data[e])).toBe(true);
      }
    }
  });
});

test('what flushing may lose is counted in full: it is no random error', () => {
  const [a, b] = [matrix(1, 1, Float32Array.of(2 ** -130)), matrix(1, 1, Float32Array.of(2 ** 100))];
  expect(sigmaOf('classical', 0, a, b, flushing)[0]).toBeGreaterThanOrEqual(2 ** -30);
  const zeros = square(0, 0, 0, 0);
  // C11 = P1 + P2: 3·2^-126 for each product and for the sum.
  expect(sigmaOf('classical', 1, zeros, zeros, flushing)[0]).toBeCloseTo(3 * Math.sqrt(3) * MIN_NORMAL32, 45);
});

test('the error of a device that rounds to either neighbour is twice as large, and has a mean', () => {
  const [a, b] = [square(1, 2, 3, 4), square(5, 6, 7, 8)];
  const faithful = sigmaOf('winograd', 1, a, b, { ...nearest, rounding: 'faithful' });
  const ratio = faithful[0] / sigmaOf('winograd', 1, a, b)[0];
  expect(ratio).toBeGreaterThan(2);
  expect(ratio).toBeLessThan(2.5);
});
