import { expect, it } from 'vitest';
import type { Shape } from '../matrix/dense.ts';
import { describeThin } from './thin.ts';

const kernel = (sizes: string | ((shape: Shape) => true | string), more = {}) => ({
  name: 'mine',
  accepts: { sizes, ...more },
  multiply: () => new Float32Array(),
});

it.each([
  ['one shape', 'm=64;k=64;n=64'],
  ['few sizes of two dimensions', 'm=1..8;k=1..8;n=1..300'],
])('%s is thin, unless it is said', (_, sizes) => {
  expect(describeThin(kernel(sizes))).toMatch(
    /^mine accepts only \d+ of the 27 classes of sizes above 0: 9 of m, 9 of k, 9 of n\. So a pass proves little\. If the kernel is meant for these sizes alone, set accepts: \{ narrow: true \}\.$/,
  );
  expect(describeThin(kernel(sizes, { narrow: true }))).toBeUndefined();
});

it.each([
  ['whatever', { name: 'mine', multiply: () => new Float32Array() }],
  ['multiples of 16', kernel(({ m, k, n }) => (m % 16) + (k % 16) + (n % 16) === 0 || 'no')],
  ['squares', kernel(({ m, k, n }) => (m === k && k === n) || 'no')],
  ['one row', kernel('m=1')],
])('%s is not thin', (_, spec) => {
  expect(describeThin(spec)).toBeUndefined();
});
