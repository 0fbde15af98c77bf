import type { Random } from '../base/random.ts';
import { OURS } from '../base/registry.ts';
import type { RealArray } from '../matrix/dense.ts';
import type { Format } from '../precision/format.ts';
import { acceptIf, inputFamily, reachOfUnits } from './input.ts';

/**
 * Binary exponent of half the range: the largest pair of terms is 2^(2·REACH) times the remaining ones. 2^28 needs more than binary32's 24
 * bits.
 */
const REACH = 14;

/**
 * Makes every entry of C an ill-conditioned dot product, after GenDot (Ogita, Rump and Oishi, "Accurate sum and dot
 * product", 2005, Algorithm 6.1). Of the k terms about two thirds come in pairs that cancel exactly, x·y and
 * (−2^s·x)·(2^-s·y), with sizes from 2^28 down to 1; the others are uniform on [−1, 1], and C is their sum alone.
 * The inner indices are in random order. GenDot computes the terms that cancel one dot product; for a whole matrix
 * they are built in pairs.
 */
export const illConditioned = inputFamily({
  name: 'ill-conditioned',
  what: 'Dot products whose large terms cancel in pairs, with condition numbers near 2^28.',
  source: 'after Ogita, Rump, Oishi 2005, Accurate sum and dot product, Algorithm 6.1',
  catches: 'Compensated or split kernels that lose their low parts; a binary32 sum has no correct bit here.',
  statistics: 'random',
  exactness: 'none',
  accepts: ({ k }) => acceptIf(k >= 3, 'a canceling pair and a remaining term need k ≥ 3'),
  reach: { entries: REACH + 4, sums: 2 * REACH + 15 },
  make: ({ m, k, n, precision: { a: stored }, random, fill }) => {
    const shared = random(3);
    const order = shared.permutation(k);
    const pairs = Math.floor(k / 3);
    const [a, b] = [fill(m, k, () => 0), fill(k, n, () => 0)];
    const [ra, rb] = [random(1), random(2)];
    const entry = (drawn: Random, size: number) => stored.round(drawn.uniform(-1, 1) * size);
    for (let t = 0; t < pairs; t++) {
      const size = 2 ** Math.round((REACH * (pairs - t)) / pairs);
      const skew = 2 ** shared.int(-4, 4);
      const [one, other] = [order[2 * t], order[2 * t + 1]];
      for (let i = 0; i < m; i++)
        setPair(a.data, [i * k + one, i * k + other], entry(ra, size), -skew, stored);
      for (let j = 0; j < n; j++)
        setPair(b.data, [one * n + j, other * n + j], entry(rb, size), 1 / skew, stored);
    }
    for (const t of order.subarray(2 * pairs)) {
      for (let i = 0; i < m; i++) a.data[i * k + t] = entry(ra, 1);
      for (let j = 0; j < n; j++) b.data[t * n + j] = entry(rb, 1);
    }
    return { a, b };
  },
});

/**
 * Sets an entry, and its counterpart to `factor` times the entry. The factor is a signed power of two. Posits have fewer bits the farther
 * they are from 1, so the entry is rounded to those of its counterpart.
 */
function setPair(
  data: RealArray,
  [at, counterpart]: readonly [number, number],
  entry: number,
  factor: number,
  stored: Format,
): void {
  data[counterpart] = stored.round(entry * factor);
  data[at] = stored.round(data[counterpart] / factor);
}

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
