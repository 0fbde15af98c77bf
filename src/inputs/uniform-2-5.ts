import { inputFamily } from './input.ts';

/**
 * Entries uniform on [2, 5]: the data of the cuBLAS, CUDA, BLAS and OpenMP comparison. The sigma reader may not
 * judge them: it takes partial sums to grow like √k, here they grow like k. A sequential binary32 sum was measured
 * at 15 sigmas for k = 128 and at 35 for k = 512, where data on [−1, 1] gave 3 and 5.
 */
export const uniform25 = inputFamily({
  name: 'uniform-2-5',
  what: 'Independent positive entries, uniform on [2, 5].',
  source: 'Davis 2025, High Performance Matrix Multiplication',
  catches: 'Sums that stagnate: with one sign only, partial sums grow like k and so do their errors.',
  statistics: 'structured',
  exactness: 'none',
  make: ({ m, k, n, uniform }) => ({
    a: uniform(m, k, 2, 5, 1),
    b: uniform(k, n, 2, 5, 2),
  }),
});
