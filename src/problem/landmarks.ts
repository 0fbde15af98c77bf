import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** A kind of shape where paths of kernels are known to end, which pairs of sizes alone do not make sure of. */
export interface Landmark {
  readonly name: string;
  readonly draw: (random: Random) => Shape;
}

/** From the least to the most, both included; of these the odd ones alone, or the multiples of a step. */
const between = (random: Random, least: number, most: number, step = 1) =>
  least + step * random.int(0, Math.floor((most - least) / step));

const cube = (name: string, least: number, most: number, step = 1): Landmark => ({
  name,
  draw: (random) => {
    const size = between(random, least, most, step);
    return { m: size, k: size, n: size };
  },
});

type Span = readonly [least: number, most: number];
const box = (name: string, m: Span, k: Span, n: Span): Landmark => ({
  name,
  draw: (random) => ({ m: between(random, ...m), k: between(random, ...k), n: between(random, ...n) }),
});

/** Two sizes that are the same, and another. */
const twin = (name: string, of: (same: number, other: number) => Shape): Landmark => ({
  name,
  draw: (random) => of(between(random, 9, 96), between(random, 9, 96)),
});

/** From small to large. */
export const landmarks: readonly Landmark[] = [
  cube('odd squares of 9 to 31', 9, 31, 2),
  cube('odd squares of 33 to 63', 33, 63, 2),
  twin('m = n', (same, other) => ({ m: same, k: other, n: same })),
  twin('m = k', (same, other) => ({ m: same, k: same, n: other })),
  twin('k = n', (same, other) => ({ m: other, k: same, n: same })),
  box('more rows than 16 bits count', [65_537, 70_000], [1, 4], [1, 3]),
  box('more columns than 16 bits count', [1, 3], [1, 4], [65_537, 70_000]),
  box('a row times a matrix', [1, 1], [1025, 4096], [33, 300]),
  box('a matrix times a column', [33, 300], [1025, 4096], [1, 1]),
  box('sums of 16,385 to 32,768 terms', [2, 8], [16_385, 32_768], [2, 8]),
  cube('odd squares of 65 to 127', 65, 127, 2),
  cube('odd squares of 129 to 255', 129, 255, 2),
  box('more than 2^16 results', [257, 400], [9, 64], [257, 400]),
  cube('squares of multiples of 64 to 512', 128, 512, 64),
  box('sums of 2,049 to 4,096 terms, by blocks', [33, 80], [2049, 4096], [33, 80]),
  box('more than 2^22 results', [2049, 2300], [2, 7], [2049, 2300]),
  box('all sizes beyond 256', [257, 340], [257, 340], [257, 340]),
  box('all sizes beyond 512', [513, 600], [513, 600], [513, 600]),
  box('all sizes beyond 1024', [1025, 1100], [1025, 1100], [1025, 1100]),
  box('all sizes beyond 2048', [2049, 2100], [2049, 2100], [2049, 2100]),
];
