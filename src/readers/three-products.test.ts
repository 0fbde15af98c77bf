import { expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom } from '../base/random.ts';
import { absoluteProduct } from '../exact/sizes.ts';
import { embedLeft, embedRight } from '../matrix/complex.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { analyze } from './analysis.ts';
import { analyzeThreeProducts } from './three-products.ts';

const [m, k, n] = [4, 24, 5];
const random = createRandom(1, 1, 'coarse');
const drawn = (rows: number, cols: number, scale = 1) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => scale * random.uniform(-1, 1)),
  );
const computation = applyClaims(precisions.find('c32'));
const u = computation.precision.accumulated.unitRoundoff;
const planOf = (algorithm: string, levels: number) =>
  compile({ algorithm: findAlgorithm(algorithm), shape: { m: 2 * m, k: 2 * k, n }, depth: { levels } });
const size = (x: Matrix, y: Matrix) => absoluteProduct(x, y);
const plus = (x: Matrix, y: Matrix) =>
  matrix(x.rows, x.cols, x.data.map((value, e) => Math.abs(value) + Math.abs(y.data[e])) as Float32Array);

test('the bounds of 3M are those of Higham 1992 up to constants', () => {
  const [ar, ai, br, bi] = [drawn(m, k), drawn(m, k), drawn(k, n), drawn(k, n)];
  const [a, b] = [embedLeft(ar, ai), embedRight(br, bi)];
  const planned = analyze(planOf('3m', 1), a, b, computation).bound.data;
  const three = analyzeThreeProducts(planOf('3m', 1), a, b, computation);
  const claimed = three.bound.data;
  const expected = analyze(planOf('3m', 1), a, b, computation).sigma.data;
  const [real, imaginary, all] = [size(ar, br), size(ai, bi), size(plus(ar, ai), plus(br, bi))];
  for (let e = 0; e < m * n; e++) {
    const ofReal = (k + 1) * u * (real[e] + imaginary[e]);
    const ofImaginary = (k + 4) * u * (all[e] + real[e] + imaginary[e]);
    expect(planned[e] / ofReal).toBeGreaterThan(0.4);
    expect(planned[e] / ofReal).toBeLessThan(1.1);
    expect(planned[m * n + e] / ofImaginary).toBeGreaterThan(0.4);
    expect(planned[m * n + e] / ofImaginary).toBeLessThan(1.1);
    // Whichever three products are claimed, both parts expect the larger error, and their bounds cover all possible terms.
    const larger = Math.max(expected[e], expected[m * n + e]);
    expect(three.sigma.data[e]).toBe(three.sigma.data[m * n + e]);
    expect(three.sigma.data[e] / larger).toBeGreaterThanOrEqual(1);
    expect(three.sigma.data[e] / larger).toBeLessThan(2);
    const both = real[e] + imaginary[e];
    expect(claimed[e] / ((k + 4) * u * (2 * all[e] - both))).toBeCloseTo(1, 3);
    expect(claimed[m * n + e] / ofImaginary).toBeCloseTo(1, 3);
  }
});

test('where imaginary parts are small, 3M may lose in them what 4M may not', () => {
  const [ar, ai, br, bi] = [drawn(m, k), drawn(m, k, 2 ** -20), drawn(k, n), drawn(k, n, 2 ** -20)];
  const [a, b] = [embedLeft(ar, ai), embedRight(br, bi)];
  const three = analyzeThreeProducts(planOf('3m', 1), a, b, computation).bound.data;
  const four = analyze(planOf('classical', 0), a, b, computation).bound.data;
  for (let e = m * n; e < 2 * m * n; e++) expect(three[e] / four[e]).toBeGreaterThan(2 ** 17);
});
