import { describe, expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom, type Random } from '../base/random.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { addProduct } from '../precision/add-product.ts';
import { type Arithmetic, emulated } from '../precision/arithmetic.ts';
import { underflowOf, unitRoundoffOf } from '../precision/device-errors.ts';
import { doublePrecision } from '../precision/double.ts';
import { MIN_NORMAL32 } from '../precision/modeled-arithmetic.ts';
import { precisions } from '../precision/precisions.ts';
import { singleComputation, singlePrecision } from '../precision/single.ts';
import { analyze } from './analysis.ts';

const nearest = emulated;
const faithful: Arithmetic = { ...nearest, rounding: 'faithful' };
const flushing: Arithmetic = { ...nearest, subnormals: { operands: true, below: MIN_NORMAL32 } };

const u = 2 ** -24;
const square = (...entries: number[]) => matrix(2, 2, Float32Array.from(entries));

function boundOf(
  name: string,
  levels: number,
  a: Matrix,
  b: Matrix,
  arithmetic = nearest,
  precision = singlePrecision,
) {
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const plan = compile({ algorithm: findAlgorithm(name), shape, depth: { levels } });
  return analyze(plan, a, b, { precision, arithmetic }).bound.data;
}

/** Fails unless x is `expected`, or above it only by the reader's upward rounding and second order in u. */
function expectJustAbove(x: number, expected: number): void {
  expect(x).toBeGreaterThanOrEqual(expected);
  expect(x).toBeLessThanOrEqual(expected * (1 + 64 * u));
}

describe('the bound of a leaf product', () => {
  test('is γ_k·|A||B|', () => {
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
      const size = a.data.reduce((sum, x, p) => sum + Math.abs(x * b.data[p]), 0);
      expectJustAbove(boundOf('classical', 0, a, b)[0], ((k * u) / (1 - k * u)) * size);
    }
  });

  test('is twice that where the device rounds to either neighbour', () => {
    const [a, b] = [matrix(1, 1, Float32Array.of(3)), matrix(1, 1, Float32Array.of(5))];
    expectJustAbove(boundOf('classical', 0, a, b, faithful)[0], 2 * u * 15);
  });

  test('is each entry’s own', () => {
    const bound = boundOf('classical', 0, square(1, 0, 0, 2 ** 20), square(1, 0, 0, 1));
    expectJustAbove(bound[0], 2 * u);
    expectJustAbove(bound[3], 2 * u * 2 ** 20);
    // No term but 0: only the possible loss of gradual underflow.
    expect(bound[1]).toBeLessThan(2 ** -140);
  });
});

describe('the bound of a recursion', () => {
  test('adds the errors of blocks, and a rounding for each sum', () => {
    // C11 = A11·B11 + A12·B21: each product has k = 1.
    const bound = boundOf('classical', 1, square(1, 2, 3, 4), square(5, 6, 7, 8));
    expectJustAbove(bound[0], u * 5 + u * 14 + u * 19);
    expectJustAbove(bound[3], u * 18 + u * 32 + u * 50);
  });

  test('takes the errors of sums of operands through the product', () => {
    const bound = boundOf('strassen', 1, square(1, 0, 0, 1), square(1, 0, 0, 1));
    // M1 = S·T with S = T = 2 ± 2u: 4u of the product, 2·2u and 2u·2 of its operands. C11 has at least that.
    expect(bound[0]).toBeGreaterThanOrEqual(12 * u);
    expect(bound[0]).toBeLessThan(40 * u);
  });

  test('is never below the classical bound’s order, and grows with levels', () => {
    const random = createRandom(9);
    const entries = () => Float32Array.from({ length: 256 }, () => random.uniform(-1, 1));
    const [a, b] = [matrix(16, 16, entries()), matrix(16, 16, entries())];
    const largest = [0, 1, 2, 3].map((levels) => Math.max(...boundOf('winograd', levels, a, b)));
    expect(largest).toEqual([...largest].sort((x, y) => x - y));
    expect(largest[3]).toBeGreaterThan(10 * largest[0]);
  });
});

describe('underflow', () => {
  test('is nothing for sums where subnormals are kept, and up to three smallest normal numbers where not', () => {
    expect(underflowOf(singleComputation(nearest))).toEqual({ product: 2 ** -149, sum: 0, operand: 0 });
    expect(underflowOf(singleComputation(flushing))).toEqual({
      product: 3 * MIN_NORMAL32,
      sum: 3 * MIN_NORMAL32,
      operand: MIN_NORMAL32,
    });
  });

  test('of each product and each sum counts', () => {
    const zeros = square(0, 0, 0, 0);
    // C11 = P1 + P2: 3·2^-126 each.
    expectJustAbove(boundOf('classical', 1, zeros, zeros, flushing)[0], 9 * MIN_NORMAL32);
  });

  test('of an operand counts in units of the other', () => {
    const [a, b] = [matrix(1, 1, Float32Array.of(2 ** -130)), matrix(1, 1, Float32Array.of(2 ** 100))];
    // The device may return 0 for 2^-30.
    expect(boundOf('classical', 0, a, b, flushing)[0]).toBeGreaterThanOrEqual(2 ** -30);
    expect(boundOf('classical', 0, a, b)[0]).toBeLessThan(2 ** -53);
  });
});

test('of a small and a large binary64 number is that of their product', () => {
  const entry = (x: number) => matrix(1, 1, Float64Array.of(x));
  const bound = boundOf(
    'classical',
    0,
    entry(1.5 * 2 ** -1022),
    entry(1.5 * 2 ** 60),
    emulated,
    doublePrecision,
  );
  expect(bound[0] * 2 ** 962).toBeGreaterThanOrEqual(2.25 * 2 ** -53);
  expect(bound[0] * 2 ** 962).toBeLessThan(2.26 * 2 ** -53);
});

test('the unit roundoff is 2^-24 to nearest, else 2^-23', () => {
  expect([unitRoundoffOf(singleComputation(nearest)), unitRoundoffOf(singleComputation(faithful))]).toEqual([
    u,
    2 * u,
  ]);
});

test('where a value overflows there is no bound', () => {
  const bound = boundOf('strassen', 1, square(2 ** 127, 0, 0, 2 ** 127), square(1, 0, 0, 1));
  // A11 + A22 overflows. C12 and C21 do not contain it.
  expect(Array.from(bound, Number.isFinite)).toEqual([false, true, true, false]);
});

describe('the bound of decoded operands', () => {
  // Neighbors of 1 and −1, which differ in bits that binary32 lacks. Sums of blocks that cancel are all rounding.
  const near = (random: Random) => random.sign() + random.int(-(2 ** 6), 2 ** 6) * 2 ** -29;
  const wide = (random: Random) =>
    matrix(
      2,
      2,
      Float64Array.from({ length: 4 }, () => near(random)),
    );

  test.each(['classical', 'strassen', 'winograd'])('holds where %s subtracts blocks that cancel', (name) => {
    const random = createRandom(5);
    const precision = precisions.find('e4m3-row');
    const plan = compile({
      algorithm: findAlgorithm(name),
      shape: { m: 2, k: 2, n: 2 },
      depth: { levels: 1 },
    });
    for (let draw = 0; draw < 50; draw++) {
      const [a, b] = [wide(random), wide(random)];
      const { model, bound } = analyze(plan, a, b, { precision, arithmetic: nearest });
      const exact = new Float64Array(4);
      addProduct(a.data as Float64Array, b.data as Float64Array, plan.shape, exact);
      for (let e = 0; e < 4; e++)
        expect(Math.abs(model.data[e] - exact[e])).toBeLessThanOrEqual(bound.data[e]);
    }
  });
});

test('the bound of products that are added in any order has each pass all other additions', () => {
  const style = 'atomic';
  const shape = { m: 2, k: 2, n: 2 };
  const plan = compile({ algorithm: findAlgorithm('strassen'), shape, depth: { levels: 1 }, style });
  const { bound } = analyze(plan, square(1, 2, 3, 4), square(5, 6, 7, 8), singleComputation(nearest));
  // 65 = 5·13, 8 = 4·2, 24 = 3·8 and 30 = 2·15, with one rounding each, and one of every sum in a factor.
  const ofC11 = 65 * 3 + 8 * 2 + 24 * 2 + 30 * 3;
  expectJustAbove(bound.data[0], u * (ofC11 + 3 * (65 + 8 + 24 + 30)));
  // 1·(6 − 8) and 3·8.
  expectJustAbove(bound.data[1], u * (2 * 2 + 24 * 2 + (2 + 24)));
});
