import { inputFamily, whileSmooth } from './input.ts';

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
  make: ({ m, k, n, uniform }) => ({
    a: uniform(m, k, 2, 5, 1),
    b: uniform(k, n, 2, 5, 2),
  }),
});
