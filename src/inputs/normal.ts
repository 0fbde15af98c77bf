import { inputFamily } from './input.ts';

/** The usual test data of libraries, and the initial weights of networks. */
export const normal = inputFamily({
  name: 'normal',
  what: 'Independent normal entries, of mean 0 and variance 1.',
  source: 'the default random matrix of numerical libraries (randn)',
  catches: 'Kernels made to pass on entries of one sign, or of at most 1.',
  statistics: 'random',
  exactness: 'none',
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    return { a: fill(m, k, () => ra.normal()), b: fill(k, n, () => rb.normal()) };
  },
});
