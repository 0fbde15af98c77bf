import { inputFamily } from './input.ts';

/** Scale of the large rows. */
const SCALE = 2 ** 20;

/**
 * Uniform on [−1, 1], the lower half of A's rows times 2^20. A classical product keeps the rows apart; a fast
 * algorithm adds large rows to small ones, and the small half of C gets the errors of the large one (Higham,
 * *Accuracy and Stability of Numerical Algorithms*, §23.2.2: no componentwise bound).
 */
export const scaledRows = inputFamily({
  name: 'scaled-rows',
  what: 'Uniform on [−1, 1], with the lower half of the rows of A times 2^20.',
  source: 'after Higham, Accuracy and Stability of Numerical Algorithms, §23.2.2',
  catches: 'A fast algorithm passed off as classical: its componentwise error is a million times larger.',
  statistics: 'random',
  exactness: 'none',
  reach: { entries: 20, sums: 36 },
  make: ({ m, k, n, random, fill, uniform }) => {
    const ra = random(1);
    const firstLarge = Math.ceil(m / 2);
    return {
      a: fill(m, k, (i) => ra.uniform(-1, 1) * (i < firstLarge ? 1 : SCALE)),
      b: uniform(k, n, -1, 1, 2),
    };
  },
});
