import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { algorithms } from '../src/algorithms/algorithms.ts';
import { kindsOfPrecisions } from '../src/precision/kinds.testing.ts';
import { seeds } from './arbitraries.ts';
import { law } from './law.ts';
import { meansOf } from './mean-error.ts';

/**
 * The law: on uniform data of n ≤ 64, at up to one level, the running bound is below a typical entry of C in every precision, and so is not
 * vacuous.
 *
 * Why: a typical entry is √k/3, and the bound of a classical product about (2·u_in + k·u)·k/4: for bfloat16 operands 1/40 of it at k = 8,
 * 1/15 at k = 64; a level costs three to five times as much.
 */
const products = fc.record({
  algorithm: fc.constantFrom(...algorithms.map(({ name }) => name)),
  n: fc.constantFrom(8, 16, 24, 32, 64),
  levels: fc.nat(1),
  seed: seeds,
  times: fc.constant(1),
});

/** Precisions whose short sums are rounded. Short sums of entries of few bits, and of whole numbers, are exact. */
const rounded = kindsOfPrecisions.filter(
  ({ multiplied, accumulated, d }) =>
    accumulated.unitRoundoff > 0 && (multiplied.precision >= 8 || d.precision < accumulated.precision),
);

describe.each(rounded.map(({ name }) => name))('in %s', (precision) => {
  law('no bound is vacuous', 6, products, (product) => {
    const { bound, error } = meansOf({ ...product, precision });
    expect(bound).toBeLessThan(1);
    expect(error).toBeGreaterThan(0);
  });
});
