import { OURS } from '../base/registry.ts';
import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, inputFamily, reachOfUnits } from './input.ts';

/**
 * Each row of A has a single 1, in a column of its own as long as there are columns (they repeat when m > k); B is
 * uniform on [−1, 1]. Row i of C is a row of B: exact for a classical product.
 */
export const permutation = inputFamily({
  name: 'permutation',
  what: 'A permutation matrix times random entries.',
  source: OURS,
  catches: 'Wrong rows, transposed operands, and inputs that lose precision: C must repeat B bit for bit.',
  statistics: 'structured',
  exactness: 'classical',
  hasIdeal: true,
  reachOf: reachOfUnits,
  accepts: ({ precision = singlePrecision }) =>
    precision.multiplied === precision.b
      ? ACCEPTED
      : { ok: false, reason: 'B is rounded before it is multiplied, so C cannot repeat it' },
  make: ({ m, k, n, random, fill, uniform }) => {
    const order = random(1).permutation(k);
    const b = uniform(k, n, -1, 1, 2);
    return {
      a: fill(m, k, (i, t) => (order[i % k] === t ? 1 : 0)),
      b,
      ideal: (i, j) => (k === 0 ? 0 : b.data[order[i % k] * n + j]),
    };
  },
});
