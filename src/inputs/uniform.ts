import { type InputSpec, inputFamily, reachOfUnits, whileSmooth } from './input.ts';

/** Returns the maker of independent entries, uniform on a range. */
const uniformOn =
  (low: number, high: number): InputSpec['make'] =>
  ({ m, k, n, uniform }) => ({ a: uniform(m, k, low, high, 1), b: uniform(k, n, low, high, 2) });

/** Entries uniform on [−1, 1]: the random pairs of Figure 44 of the 2011 paper. */
export const uniform = inputFamily({
  name: 'uniform',
  what: 'Independent entries, uniform on [−1, 1].',
  source: 'Li, Ranka, Sahni 2011, Figure 44',
  catches: 'Errors above the average of the algorithm. Published tables use it.',
  statistics: 'random',
  exactness: 'none',
  reachOf: reachOfUnits,
  make: uniformOn(-1, 1),
});

/**
 * Entries uniform on [0, 1), as rand()/RAND_MAX gives them. They are evidently the data of the random pairs of Figure 44 of the 2011
 * paper, which says [−1, 1]. All partial sums grow like k.
 */
export const uniform01 = inputFamily({
  name: 'uniform-0-1',
  what: 'Independent entries, uniform on [0, 1).',
  source: 'Li, Ranka, Sahni 2011, Figure 44, as its numbers imply',
  catches: 'Sums that stagnate, as with uniform-2-5, but with small entries among the large.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  reachOf: reachOfUnits,
  make: uniformOn(0, 1),
});

/**
 * Entries uniform on [2, 5]: the data of the cuBLAS, CUDA, BLAS and OpenMP comparison. Partial sums grow
 * like k, and their rounding errors with them: several times those of data on [−1, 1] of the same size.
 */
export const uniform25 = inputFamily({
  name: 'uniform-2-5',
  what: 'Independent positive entries, uniform on [2, 5].',
  source: 'Davis 2025, High Performance Matrix Multiplication',
  catches: 'Sums that stagnate: with one sign, partial sums and their errors grow like k.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  make: uniformOn(2, 5),
});
