import { describe, expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom } from '../base/random.ts';
import { exactProduct } from '../exact/exact.ts';
import { matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { roundings } from '../precision/arithmetic.ts';
import { roundingIn } from '../precision/claimed-rounding.ts';
import { bf16, f32 } from '../precision/format.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { analyze } from './analysis.ts';

const shape = { m: 7, k: 40, n: 9 };
const plan = compile({ algorithm: findAlgorithm('classical'), shape });
const precision = precisions.find('bf16-f32-bf16');
const random = createRandom(4);
const drawn = (rows: number, cols: number) =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => bf16.round(random.uniform(-1, 1))),
  );
const [a, b] = [drawn(7, 40), drawn(40, 9)];
const value = exactProduct(a, b).product.data;

/** Rounds the model's sums in a given direction, and returns the largest share of the bound. */
const used = (rounding: (typeof roundings)[number], round: (x: number) => number) => {
  const { bound } = analyze(plan, a, b, applyClaims(precision, { arithmetic: { result: { rounding } } }));
  const sums = analyze(plan, a, b, applyClaims({ ...precision, c: f32, d: f32 })).model;
  return Math.max(...sums.data.map((x, e) => Math.abs(round(x) - value[e]) / bound.data[e]));
};

describe('results narrower than sums', () => {
  test('are the sums of the model, rounded once', () => {
    const sums = analyze(plan, a, b, applyClaims({ ...precision, c: f32, d: f32 })).model;
    expect([...analyze(plan, a, b, applyClaims(precision)).model.data]).toEqual([
      ...sums.data.map(bf16.round),
    ]);
    expect([...sums.data]).not.toEqual([...sums.data.map(bf16.round)]);
  });

  test.each(roundings)('rounded %s are within their bound, and near it', (rounding) => {
    const round = rounding === 'nearest' ? bf16.round : roundingIn(bf16, 'toward-zero').round;
    expect(used(rounding, round)).toBeLessThanOrEqual(1);
    expect(used(rounding, round)).toBeGreaterThan(0.5);
  });

  test('that are cut off, or of bfloat16 sums, are not within that of rounding to nearest', () => {
    expect(used('nearest', roundingIn(bf16, 'toward-zero').round)).toBeGreaterThan(1.2);
  });

  test('beyond the largest number are what is claimed', () => {
    const half = precisions.find('f16-f32-f16');
    const large = matrix(1, 1, Float32Array.of(60000));
    const one = compile({ algorithm: findAlgorithm('classical'), shape: { m: 1, k: 1, n: 1 } });
    const mirrored = (overflow?: 'saturate') =>
      analyze(
        one,
        large,
        matrix(1, 1, Float32Array.of(-2)),
        applyClaims(half, { arithmetic: { result: { overflow } } }),
      ).model.data[0];
    expect(mirrored()).toBe(Number.NEGATIVE_INFINITY);
    expect(mirrored('saturate')).toBe(-65504);
  });
});
