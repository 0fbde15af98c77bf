import type { Random } from '../base/random.ts';
import { inputFamily } from './input.ts';

/** Correlation of an entry with its neighbor. */
const KEPT = 0.98;

/** Returns a mean-reverting random walk of variance 1: each entry is near the one before. */
function walk(random: Random): () => number {
  let at = random.normal();
  return () => {
    at = KEPT * at + Math.sqrt(1 - KEPT ** 2) * random.normal();
    return at;
  };
}

/** Smooth data: sounds, prices, lines of pictures, and filters of them. */
export const signals = inputFamily({
  name: 'signals',
  what: 'Rows of A and columns of B are random walks that return to zero: neighbors along k are nearly equal.',
  source: 'autoregressive processes of order 1, correlation 0.98',
  catches: 'Kernels that recognize operands by their differences, and code paths for smooth data.',
  statistics: 'structured',
  exactness: 'none',
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const rows = Array.from({ length: m }, () => walk(ra));
    const columns = Array.from({ length: n }, () => walk(rb));
    return { a: fill(m, k, (i) => rows[i]()), b: fill(k, n, (_, j) => columns[j]()) };
  },
});
