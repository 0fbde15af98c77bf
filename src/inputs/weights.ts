import { inputFamily } from './input.ts';

/** Operands of a network before training: activations, times weights that keep their size. */
export const weights = inputFamily({
  name: 'weights',
  what: 'Entries of A are normal with negative ones set to zero, those of B normal with variance 2/k.',
  source: 'He, Zhang, Ren and Sun, "Delving deep into rectifiers" (2015), equation 10: initial weights',
  catches: 'Small numbers of both signs taken for noise: by scales, thresholds or low-bit formats.',
  statistics: 'random',
  exactness: 'none',
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const deviation = Math.sqrt(2 / Math.max(1, k));
    return { a: fill(m, k, () => Math.max(0, ra.normal())), b: fill(k, n, () => deviation * rb.normal()) };
  },
});
