import { expect, it } from 'vitest';
import { anchoredDot, anchorsFor } from './anchored.ts';
import { dotExpansion, roundToPair } from './expansion.ts';

it('sums exactly what fits the window, up to its last bit', () => {
  const k = 4;
  const a = Float64Array.of(2 ** 40 + 1, -(2 ** 40), 2 ** -60 * (1 + 2 ** -39), 2 ** -60);
  const b = Float64Array.of(1 + 2 ** -52, 1 + 2 ** -52, 1 + 2 ** -52, -1);
  const anchors = anchorsFor(k, 43, -151);
  expect(anchors).toBeDefined();
  const pair = roundToPair(anchoredDot(a, 0, b, 0, k, anchors!));
  expect(pair).toEqual(roundToPair(dotExpansion(a, 0, b, 0, k)));
  expect(pair).toEqual({ value: 1 + 2 ** -52, low: 2 ** -99 + 2 ** -112 + 2 ** -151 });
});

it.each([1, 2, 3, 7, 8, 1000, 2 ** 24])('refuses wider windows: k = %d', (k) => {
  const widest = [...Array(400).keys()].filter((below) => anchorsFor(k, 10, 10 - below)).at(-1)!;
  expect(anchorsFor(k, 10, 10 - widest - 1)).toBeUndefined();
  const bits = Math.ceil(Math.log2(2 * k));
  expect(widest).toBeLessThanOrEqual(208 - 3 * bits);
  expect(widest).toBeGreaterThan(200 - 3 * (bits + 1));
});
