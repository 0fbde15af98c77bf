import type { Random } from '../base/random.ts';
import { OURS } from '../base/registry.ts';
import { inputFamily, reachOfUnits } from './input.ts';

/**
 * Rows, inner indices and columns are each split at random into two sides. A(i, t) and B(t, j) are uniform on
 * [−1, 1] where both indices have the same side, and 0 elsewhere. So C(i, j) has only zero terms where i and j are of
 * different sides, about half of all entries. A fast algorithm adds blocks whose zeros lie elsewhere, and terms that
 * should cancel leave rounding errors. Contiguous halves as sides do not work: there Strassen's terms of C12 cancel
 * exactly, −A11·B22 + A11·B22.
 */
export const complementaryZeros = inputFamily({
  name: 'complementary-zeros',
  what: 'Random entries with complementary patterns of zeros, so that about half of C is exactly 0.',
  source: OURS,
  catches: 'Recombined blocks, as in Strassen’s method, which give small numbers in place of zeros.',
  statistics: 'random',
  exactness: 'none',
  reachOf: reachOfUnits,
  make: ({ m, k, n, random, fill }) => {
    const cut = random(3);
    const [rows, inner, cols] = [m, k, n].map((size) => sides(size, cut));
    const [ra, rb] = [random(1), random(2)];
    const met = [inner.includes(0), inner.includes(1)];
    return {
      a: fill(m, k, (i, t) => (rows[i] === inner[t] ? ra.uniform(-1, 1) : 0)),
      b: fill(k, n, (t, j) => (inner[t] === cols[j] ? rb.uniform(-1, 1) : 0)),
      expectsZero: (i, j) => rows[i] !== cols[j] || !met[rows[i]],
    };
  },
});

/** A side, 0 or 1, for each of `size` indices: half of them (rounded down) have side 1, at random places. */
function sides(size: number, random: Random): Uint8Array {
  const side = new Uint8Array(size);
  for (const at of random.permutation(size).subarray(0, size >> 1)) side[at] = 1;
  return side;
}
