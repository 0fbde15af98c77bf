import { pickRandom, type Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

const KEYS = ['m', 'k', 'n'] as const;

/** Powers of two by which one size is less aligned than the others, and the sizes of the others, by which kernels select blocked paths. */
const LESSER = [8, 16, 32, 64, 128];
const LARGE = [256, 256, 512];
/** Largest size that is less aligned. */
const MOST = 448;

/** Powers of two with neighbors, as binary logarithms, and the sizes beside these. */
const BINADES = [6, 7, 8, 9, 10];
const ALIGNED = [64, 128];

/** Returns a size with exactly one power of two. */
const exactly = (power: number, random: Random): number =>
  power * (2 * random.int(0, Math.floor((MOST / power - 1) / 2)) + 1);

const shapesOf = (random: Random, others: readonly number[], size: () => number): Shape[] =>
  KEYS.map((key) => {
    const other = () => pickRandom(random, others);
    return { m: other(), k: other(), n: other(), [key]: size() };
  });

/**
 * Returns shapes whose sizes are aligned but for one, in random order: for each dimension and each power of two, one whose other sizes are
 * multiples of larger powers; and for each dimension, one on either side of each large power of two.
 */
export function alignedShapes(random: Random): Shape[] {
  const less = LESSER.flatMap((power) => shapesOf(random, LARGE, () => exactly(power, random)));
  const beside = BINADES.flatMap((binade) =>
    [-1, 1].flatMap((away) => shapesOf(random, ALIGNED, () => 2 ** binade + away)),
  );
  const all = [...less, ...beside];
  return [...random.permutation(all.length)].map((at) => all[at]);
}
