import { expect, it } from 'vitest';
import { errorAxis, linearAxis, sizeAxis } from './axis.ts';

it('gives zeros a lane below a logarithmic axis and what is not finite one above, where there are any', () => {
  const y = errorAxis('error', [0, 1e-7, 1e-3, Number.NaN], [200, 0]);
  expect(y.lanes.map(({ text }) => text)).toEqual(['0', '∞ NaN']);
  const [zero, low, high, beyond] = [0, 1e-7, 1e-3, Number.POSITIVE_INFINITY].map(y.at);
  expect(zero).toBeGreaterThan(low + 8);
  expect(low).toBeGreaterThan(high);
  expect(high).toBeGreaterThan(beyond + 8);
  expect(y.at(Number.NaN)).toBe(beyond);
  expect(errorAxis('error', [1e-7, 1e-3], [200, 0]).lanes).toEqual([]);
});

it('has few ticks, at whole powers, whatever the values', () => {
  const y = errorAxis('error', [Number.MIN_VALUE, Number.MAX_VALUE], [200, 0]);
  expect(y.ticks.length).toBeGreaterThan(2);
  expect(y.ticks.length).toBeLessThanOrEqual(7);
  for (const { at } of y.ticks) expect(at).toSatisfy((x: number) => x >= 0 && x <= 200);
  expect(errorAxis('error', [0], [200, 0]).ticks.every(({ at }) => Number.isFinite(at))).toBe(true);
  expect(sizeAxis('n', [32, 64, 16384], [0, 200]).ticks.map(({ text }) => text)).toEqual([
    '32',
    '128',
    '512',
    '2048',
    '8192',
  ]);
  expect(sizeAxis('n', [1000], [0, 200]).ticks.map(({ text }) => text)).toEqual(['1000']);
  expect(linearAxis('x', [1, 1], [0, 200]).at(1)).toBe(100);
});
