import { describe, expect, it } from 'vitest';
import { precisions } from '../precision/precisions.ts';
import { excessOf, nameAlgorithm } from './grade-kernel.ts';
import { gradingOperands, makeOperands, reachOf } from './grading-operands.ts';

describe('operands to grade on', () => {
  it('reach exponents of ±(510 − log2 n) in binary64, and half of the range of others', () => {
    const f64 = precisions.find('f64');
    expect([16, 128, 1024].map((n) => reachOf(f64, n, 0))).toEqual([506, 503, 500]);
    expect(reachOf(precisions.find('f32'), 16, 0)).toBe(58);
    expect(reachOf(precisions.find('f16'), 16, 0)).toBe(2);
    expect(reachOf(f64, 16, 3)).toBe(500);
  });

  const rounded = precisions.items.filter(({ accumulated }) => accumulated.unitRoundoff > 0);
  it.each(rounded.map(({ name }) => name))('stay in the normal range of %s, sums included', (name) => {
    const precision = precisions.find(name);
    const shape = { m: 16, k: 16, n: 16 };
    for (const made of Object.values(gradingOperands)) {
      const { a, b } = makeOperands(made, shape, { precision, seed: 1, levels: 0 });
      const sizes = Array.from({ length: 256 }, (_, e) => {
        const [i, j] = [Math.floor(e / 16), e % 16];
        let size = 0;
        for (let p = 0; p < 16; p++) size += Math.abs(a.data[i * 16 + p] * b.data[p * 16 + j]);
        return size;
      });
      expect(Math.max(...sizes)).toBeLessThan(precision.d.maxFinite);
      if (made.name !== gradingOperands.zeros.name)
        expect(Math.min(...sizes)).toBeGreaterThan(precision.d.minNormal);
    }
  });

  it('have inner products without a term, of rows and columns that are not zero', () => {
    const shape = { m: 8, k: 6, n: 8 };
    const draw = { precision: precisions.find('f64'), seed: 2, levels: 0 };
    const { a, b } = makeOperands(gradingOperands.zeros, shape, draw);
    const row = (i: number) => [...a.data.subarray(i * 6, i * 6 + 6)];
    const col = (j: number) => Array.from({ length: 6 }, (_, p) => b.data[p * 8 + j]);
    const none = Array.from({ length: 64 }, (_, e) => [Math.floor(e / 8), e % 8]).filter(([i, j]) =>
      row(i).every((x, p) => x * col(j)[p] === 0),
    );
    expect(none.length).toBeGreaterThanOrEqual(4);
    for (const [i, j] of none) expect([...row(i), ...col(j)].some((x) => x !== 0)).toBe(true);
  });
});

describe('the name that the published tests give', () => {
  it('goes by test 2, then by test 4 or test 6', () => {
    expect(nameAlgorithm({ zeros: 0, shifted: 0.1, blocks: 9 })).toBe('classical in floating point');
    expect(nameAlgorithm({ zeros: 0, shifted: 9 })).toBe('classical in fixed point');
    expect(nameAlgorithm({ zeros: 9, shifted: 9, blocks: 0.1 })).toBe('Strassen-like in floating point');
    expect(nameAlgorithm({ zeros: 9, blocks: Number.NaN })).toBe('Strassen-like in fixed point');
  });

  it('asks the entries of its test alone', () => {
    const product = { n: 2, found: [1, 0, 0, 3], value: [1, 0, 0, 2], low: [0, 0, 0, 0], size: [1, 0, 1, 2] };
    const allowed = { classical: 0.01, block: 2 };
    expect(excessOf('zeros', product, allowed)).toBe(0);
    expect(excessOf('zeros', { ...product, found: [1, 1e-300, 0, 2] }, allowed)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(excessOf('shifted', product, allowed)).toBeCloseTo(5, 12);
    expect(excessOf('blocks', product, allowed)).toBe(0);
    expect(excessOf('shifted', { ...product, found: [Number.NaN, 0, 0, 2] }, allowed)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(excessOf('uniform', product, allowed)).toBeUndefined();
  });
});
