import { createRandom } from '../base/random.ts';

/** Most addresses of a list. */
export const MOST_ADDRESSES = 4096;
/** A stream that no family draws from; each matrix has the one behind that of the matrix before. */
const STREAM = 3200;
/** One in this many operands is that of an earlier product. */
const SHARED = 4;
/** Most entries between two matrices in memory. */
const BETWEEN = 9;

/**
 * Draws the addresses of the matrices of a batch: in any order in memory, with gaps of unequal lengths. Some of A and B are shared by
 * products; seed and batch alone decide which.
 * @param length entries that a matrix takes.
 */
export function drawAddresses(
  { seed, batch }: { readonly seed: number; readonly batch: number },
  name: 'a' | 'b' | 'c' | 'd',
  length: number,
  offset: number,
): readonly number[] {
  const random = createRandom(seed, STREAM + ['a', 'b', 'c', 'd'].indexOf(name));
  const isShared = (p: number) => p > 0 && (name === 'a' || name === 'b') && random.int(1, SHARED) === 1;
  const sources = Array.from({ length: batch }, (_, p) => (isShared(p) ? random.int(0, p - 1) : p));
  const addresses: number[] = [];
  let at = offset;
  for (const p of random.permutation(batch)) {
    at += random.int(1, BETWEEN);
    addresses[p] = at;
    at += length;
  }
  sources.forEach((source, p) => {
    addresses[p] = addresses[source];
  });
  return addresses;
}
