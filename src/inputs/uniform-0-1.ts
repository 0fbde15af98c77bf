import { inputFamily, reachOfUnits, whileSmooth } from './input.ts';

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
  make: ({ m, k, n, uniform }) => ({
    a: uniform(m, k, 0, 1, 1),
    b: uniform(k, n, 0, 1, 2),
  }),
});
