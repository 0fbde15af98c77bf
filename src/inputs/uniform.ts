import { inputFamily, reachOfUnits } from './input.ts';

/** Entries uniform on [−1, 1]: the random pairs of Figure 44 of the 2011 paper. */
export const uniform = inputFamily({
  name: 'uniform',
  what: 'Independent entries, uniform on [−1, 1].',
  source: 'Li, Ranka, Sahni 2011, Figure 44',
  catches: 'Errors above the average of the algorithm. Published tables use it.',
  statistics: 'random',
  exactness: 'none',
  reachOf: reachOfUnits,
  make: ({ m, k, n, uniform }) => ({
    a: uniform(m, k, -1, 1, 1),
    b: uniform(k, n, -1, 1, 2),
  }),
});
