import { expect, test } from 'vitest';
import { meanInSingle } from './mean-in-single.ts';

test('differences are summed in binary32, along the rows', () => {
  const data = Float32Array.of(1, 2 ** -25, 2 ** -25, 2 ** -25);
  const ideal = () => 0;
  expect(meanInSingle({ rows: 2, cols: 2, data }, ideal)).toBe(1 / 4);
  expect(meanInSingle({ rows: 2, cols: 2, data: data.toReversed() }, ideal)).toBe((1 + 2 ** -23) / 4);
  expect(meanInSingle({ rows: 1, cols: 2, data: Float32Array.of(1, -3) }, (_, j) => 1 - j)).toBe(3 / 2);
});
