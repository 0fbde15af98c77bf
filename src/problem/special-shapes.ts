import { Memo } from '../base/memo.ts';
import { createRandom, pickRandom, type Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Largest size for shapes with three such sizes. Beyond it, each size has small ones beside it, so that it costs little. */
const TOGETHER = 128;
const BESIDE = 80;
/** One large size in this many has two tiny ones beside it, which registers hold whole. */
const [SELDOM, TINY] = [8, 3];

/** Largest size for which results are also square, with sums of another length. */
const SQUARES = 32;

/**
 * Returns shapes that have each size of each dimension up to the most, since one size alone may select a code path. Where a kernel refuses
 * a shape, the cube of its size replaces it.
 */
export function everySize(random: Random, most: number, takes: (shape: Shape) => boolean): Shape[] {
  const together = Math.min(most, TOGETHER);
  const [m, k, n] = [0, 1, 2].map(() => random.permutation(together));
  const beside = (size: number, key: keyof Shape): Shape => {
    const isTiny = random.int(1, SELDOM) === 1;
    const other = () => (isTiny ? random.int(2, TINY) : random.int(1, BESIDE));
    return { m: other(), k: other(), n: other(), [key]: size };
  };
  const all = [
    ...Array.from(m, (_, at): Shape => ({ m: m[at] + 1, k: k[at] + 1, n: n[at] + 1 })),
    ...Array.from({ length: Math.min(most, SQUARES) }, (_, at): Shape => {
      return { m: at + 1, k: random.int(1, 2 * SQUARES), n: at + 1 };
    }),
    ...Array.from({ length: most - together }, (_, at) => at + together + 1).flatMap((size): Shape[] => [
      beside(size, 'm'),
      beside(size, 'k'),
      beside(size, 'n'),
    ]),
  ];
  return all.flatMap((shape) => {
    const size = Math.max(shape.m, shape.k, shape.n);
    return [shape, { m: size, k: size, n: size }].find(takes) ?? [];
  });
}

const KEYS = ['m', 'k', 'n'] as const;

/** Powers of two by which one size is less aligned than the others, and the sizes of the others, by which kernels select blocked paths. */
const LESSER = [8, 16, 32, 64, 128];
const LARGE = [256, 256, 512];
/** Largest size that is less aligned. */
const LARGEST = 448;

/** Powers of two with neighbors, as binary logarithms, and the sizes beside these. */
const BINADES = [6, 7, 8, 9, 10];
const ALIGNED = [64, 128];

/** Returns a size with exactly one power of two. */
const exactly = (power: number, random: Random): number =>
  power * (2 * random.int(0, Math.floor((LARGEST / power - 1) / 2)) + 1);

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

/** Number of results, and the longest of their sides. */
const [GRAMS, LONGEST_SIDE] = [12, 1200];
/** Longest sums of large results and of small ones. */
const [SHORT, LONG] = [24, 640];

/**
 * Returns shapes of square results, small to large: of matrices times their own transposes, which libraries compute with a symmetric
 * update. Every third has a sum of many more terms than rows.
 */
export function shapesOfGrams(random: Random): Shape[] {
  return Array.from({ length: GRAMS }, (_, at): Shape => {
    const isLong = at % 3 === 0;
    const [least, most] = isLong
      ? [2, 40]
      : [LONGEST_SIDE ** (at / GRAMS), LONGEST_SIDE ** ((at + 1) / GRAMS)];
    const size = Math.round(Math.exp(random.uniform(Math.log(least), Math.log(most))));
    const k = isLong ? Math.max(16 * size, random.int(1, LONG)) : random.int(2, SHORT);
    return { m: Math.max(2, size), k, n: Math.max(2, size) };
  });
}

/** Number of shapes with a size of 0. */
const EMPTY = 48;

/** Returns shapes without terms or results, of small and large sizes. One in three has no results; the others have no terms. */
export function shapesOfNothing(random: Random): Shape[] {
  const size = () => Math.floor(2 ** random.uniform(0, 8));
  return Array.from({ length: EMPTY }, (_, at): Shape => {
    const [m, k, n] = [size(), size(), size()];
    return [{ m, k: 0, n }, { m, k: 0, n }, at % 2 === 0 ? { m: 0, k, n } : { m, k, n: 0 }][at % 3];
  });
}

/** Number of consecutive seeds, from a multiple of it on, whose sweeps have no size in common. */
export const SWEEPS = 16;
/** The largest size of each dimension, and the most multiplications of a product. */
const [SIDE, MOST_MULTIPLICATIONS] = [48, 2 ** 13];
/** A random stream that no family draws from. */
const STREAM = 3006;
/** Orders of all sizes, kept for the sweeps that share one. */
const orders = new Memo<Uint32Array>(2);

/** Yields the shapes of a sweep, each once: a part of all small ones, in the order of its seed. */
export function* sweptShapes(seed: number): Generator<Shape> {
  const own = Math.floor(seed / SWEEPS);
  const order = orders.get(String(own), () => createRandom(own, STREAM).permutation(SIDE ** 3));
  for (let at = seed % SWEEPS; at < order.length; at += SWEEPS) {
    const place = order[at];
    const m = 1 + Math.floor(place / SIDE ** 2);
    const k = 1 + (Math.floor(place / SIDE) % SIDE);
    const n = 1 + (place % SIDE);
    if (m * k * n <= MOST_MULTIPLICATIONS) yield { m, k, n };
  }
}
