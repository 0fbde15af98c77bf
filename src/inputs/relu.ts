import { inputFamily, whileSmooth } from './input.ts';

/** Operands of a network layer: activations, half of them 0 and the others positive, times weights of both signs. */
export const relu = inputFamily({
  name: 'relu',
  what: 'Entries of A are max(0, x) and those of B |x|, for normal numbers x.',
  source: 'after Nair, Hinton 2010, Rectified linear units improve restricted Boltzmann machines',
  catches: 'Errors of sums of one sign with many zero terms, as in neural networks.',
  statistics: 'random',
  randomUpTo: whileSmooth,
  exactness: 'none',
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    return {
      a: fill(m, k, () => Math.max(0, ra.normal())),
      b: fill(k, n, () => Math.abs(rb.normal())),
    };
  },
});
