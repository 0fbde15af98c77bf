import { fill } from './fill.ts';
import { inputFamily } from './input.ts';
import { seeded } from './random.ts';
import { uniformMatrix } from './uniform.ts';

/**
 * Each row of A has a single 1, in a column of its own as long as there are columns (they repeat when m > k); B is
 * uniform on [−1, 1]. Row i of C is a row of B: exact for a classical product.
 */
export const permutation = inputFamily({
  name: 'permutation',
  what: 'A permutation matrix times random entries.',
  catches:
    'Wrong rows and transposed operands; precision lost on the way in, since C must repeat B bit by bit.',
  statistics: 'structured',
  exactness: 'classical',
  hasIdeal: true,
  make: ({ m, k, n, seed }) => {
    const order = seeded(seed, 1).permutation(k);
    const b = uniformMatrix(k, n, -1, 1, seeded(seed, 2));
    return {
      a: fill(m, k, (i, t) => (order[i % k] === t ? 1 : 0)),
      b,
      ideal: (i, j) => (k === 0 ? 0 : b.data[order[i % k] * n + j]),
    };
  },
});
