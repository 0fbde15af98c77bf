import type { Matrix } from '../matrix/dense.ts';
import { fill } from './fill.ts';
import { inputFamily } from './input.ts';
import { type Random, seeded } from './random.ts';

/** Entries uniform on [−1, 1]: the random pairs of Figure 44 of the 2011 paper. */
export const uniform = inputFamily({
  name: 'uniform',
  what: 'Independent entries, uniform on [−1, 1].',
  catches: 'Errors above the average of the algorithm; the published random pairs.',
  statistics: 'random',
  exactness: 'none',
  make: ({ m, k, n, seed }) => ({
    a: uniformMatrix(m, k, -1, 1, seeded(seed, 1)),
    b: uniformMatrix(k, n, -1, 1, seeded(seed, 2)),
  }),
});

/** A rows×cols matrix with entries uniform on [low, high], rounded to binary32. */
export function uniformMatrix(
  rows: number,
  cols: number,
  low: number,
  high: number,
  random: Random,
): Matrix<Float32Array> {
  return fill(rows, cols, () => random.uniform(low, high));
}
