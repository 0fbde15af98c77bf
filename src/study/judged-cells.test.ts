import { expect, test } from 'vitest';
import { judgeCell, roundedTo } from './judged-cells.ts';

test('a printed number stands for those that round to it', () => {
  const [low, high] = roundedTo(7.9e-5);
  expect(low).toBeCloseTo(7.85e-5, 12);
  expect(high).toBeCloseTo(7.95e-5, 12);
  expect(roundedTo(6.3e-1)[1]).toBeCloseTo(0.635, 12);
});

test.each([
  [1.65e-4 * 1.149, 2, true],
  [1.65e-4 * 1.151, 2, false],
  [1.55e-4 * 0.851, 1, true],
  [1.55e-4 * 0.849, 0, false],
  [1.65e-4 * 1.99, 3, true],
  [1.65e-4 * 2.01, 3, false],
  [1.55e-4 * 0.51, 4, true],
  [1.55e-4 * 0.49, 4, false],
  [Number.NaN, 4, false],
  [Number.POSITIVE_INFINITY, 4, false],
])('%d for 1.6e-4 at level %i: close is %s', (measured, levels, close) => {
  expect(judgeCell(measured, 1.6e-4, levels).close).toBe(close);
});
