import { expect, it } from 'vitest';
import { placeAxis } from './axis.ts';

const logarithmic = { label: 'error', scale: 'logarithmic' } as const;

it('gives zeros a lane below a logarithmic axis and what is not finite one above, where there are any', () => {
  const y = placeAxis(logarithmic, [0, 1e-7, 1e-3, Number.NaN], [200, 0]);
  expect(y.lanes.map(({ text }) => text)).toEqual(['0', '∞ NaN']);
  const [zero, low, high, beyond] = [0, 1e-7, 1e-3, Number.POSITIVE_INFINITY].map(y.at);
  expect(zero).toBeGreaterThan(low + 8);
  expect(low).toBeGreaterThan(high);
  expect(high).toBeGreaterThan(beyond + 8);
  expect(y.at(Number.NaN)).toBe(beyond);
  expect(placeAxis(logarithmic, [1e-7, 1e-3], [200, 0]).lanes).toEqual([]);
});

it('has few ticks, at whole powers, whatever the values', () => {
  const y = placeAxis(logarithmic, [Number.MIN_VALUE, Number.MAX_VALUE], [200, 0]);
  expect(y.ticks.length).toBeGreaterThan(2);
  expect(y.ticks.length).toBeLessThanOrEqual(7);
  for (const { at } of y.ticks) expect(at).toSatisfy((x: number) => x >= 0 && x <= 200);
  expect(placeAxis(logarithmic, [0], [200, 0]).ticks.every(({ at }) => Number.isFinite(at))).toBe(true);
  const sizes = (...values: number[]) =>
    placeAxis({ label: 'n', scale: 'sizes' }, values, [0, 200]).ticks.map(({ text }) => text);
  expect(sizes(32, 64, 16384)).toEqual(['32', '128', '512', '2048', '8192']);
  expect(sizes(1000)).toEqual(['1000']);
  expect(placeAxis({ label: 'x', scale: 'linear' }, [1, 1], [0, 200]).at(1)).toBe(100);
});

it('has a place for what figures beside it show, and turns around where values grow downwards', () => {
  const x = placeAxis({ label: 'x', scale: 'exact', include: [0, 10] }, [5], [0, 200]);
  expect([0, 5, 10].map(x.at)).toEqual([0, 100, 200]);
  const down = placeAxis({ label: 'row', scale: 'exact', include: [0, 10], down: true }, [], [200, 0]);
  expect([0, 10].map(down.at)).toEqual([0, 200]);
});
