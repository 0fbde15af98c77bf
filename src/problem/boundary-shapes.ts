import type { Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';

/** Sizes of a product, with a batch where there is more than one. */
export interface BatchedShape extends Shape {
  readonly batch?: number;
}

/** A kind of shape where code paths of kernels are known to end. Pairs of sizes alone do not cover it. */
export interface BoundaryShape {
  readonly name: string;
  readonly draw: (random: Random) => BatchedShape;
}

/** Draws log-uniformly from the least to the most, both included; with a step, only multiples of it from the least on. */
function between(random: Random, least: number, most: number, step = 1): number {
  const size = Math.exp(random.uniform(Math.log(least), Math.log(most + 1)));
  return Math.min(most, least + step * Math.floor((size - least) / step));
}

const cube = (name: string, least: number, most: number, step = 1): BoundaryShape => ({
  name,
  draw: (random) => {
    const size = between(random, least, most, step);
    return { m: size, k: size, n: size };
  },
});

type Span = readonly [least: number, most: number, step?: number];
const box = (name: string, m: Span, k: Span, n: Span, batch?: Span): BoundaryShape => ({
  name,
  draw: (random) => ({
    ...{ m: between(random, ...m), k: between(random, ...k), n: between(random, ...n) },
    ...(batch === undefined ? {} : { batch: between(random, ...batch) }),
  }),
});

/** Returns a landmark with two equal sizes and another one. */
const twin = (name: string, of: (same: number, other: number) => Shape): BoundaryShape => ({
  name,
  draw: (random) => of(between(random, 9, 96), between(random, 9, 96)),
});

/** Draws a round decimal size. */
const round = (random: Random): number => [10, 20, 50, 100, 200, 500, 1000][random.int(0, 6)];

/** Sizes beyond a 16-bit counter; and sizes that, multiplied by a few bytes, do not fit into 24 bits. */
const MANY: Span = [65_536, 70_000];
const VERY_MANY: Span = [2 ** 21 + 1, 2 ** 21 + 2 ** 17];
const FEW: Span = [1, 4];
/** Two of a size that registers hold whole, and a size that leaves them. */
const PAIR: Span = [2, 2];
const GROWING: Span = [8, 128];

/** All landmarks, from small to large. */
export const boundaryShapes: readonly BoundaryShape[] = [
  cube('odd squares of 9 to 31', 9, 31, 2),
  cube('odd squares of 33 to 63', 33, 63, 2),
  twin('m = n', (same, other) => ({ m: same, k: other, n: same })),
  twin('m = k', (same, other) => ({ m: same, k: same, n: other })),
  twin('k = n', (same, other) => ({ m: other, k: same, n: same })),
  box('more rows than 16 bits count', MANY, FEW, FEW),
  box('more columns than 16 bits count', FEW, FEW, MANY),
  box('longer sums than 16 bits count', FEW, MANY, FEW),
  box('more products than 16 bits count', FEW, FEW, FEW, MANY),
  {
    name: 'round decimal numbers',
    draw: (random) => ({ m: round(random), k: round(random), n: round(random) }),
  },
  box('two rows and terms, and 8 to 128 columns', PAIR, PAIR, GROWING),
  box('two rows and columns, and 8 to 128 terms', PAIR, GROWING, PAIR),
  box('two terms and columns, and 8 to 128 rows', GROWING, PAIR, PAIR),
  box('a row times a matrix', [1, 1], [1025, 4096], [33, 300]),
  box('a matrix times a column', [33, 300], [1025, 4096], [1, 1]),
  box('a batch of rows times matrices', [1, 1], [129, 600], [2, 64], [5, 40]),
  box('a batch of matrices times columns', [2, 64], [129, 600], [1, 1], [5, 40]),
  box('sums of 16,385 to 32,768 terms', [2, 8], [16_385, 32_768], [2, 8]),
  box('a batch of sums beyond 15 bits', FEW, [32_768, 70_000], FEW, [2, 4]),
  cube('odd squares of 65 to 127', 65, 127, 2),
  cube('odd squares of 129 to 255', 129, 255, 2),
  box('more than 2^16 results', [257, 400], [9, 64], [257, 400]),
  box('more than 2^20 results in a batch', [65, 128], FEW, [65, 128], [260, 300]),
  box(
    'multiples of 256, and sums that are odd multiples of 64',
    [256, 512, 256],
    [64, 320, 128],
    [256, 512, 256],
  ),
  box('multiples of 128, and sums that are none', [128, 512, 128], [9, 255, 2], [128, 512, 128]),
  box('sums of multiples of 128, and sides that are none', [65, 511, 2], [128, 512, 128], [65, 511, 2]),
  box('more than 2^20 entries of A in a batch', [65, 128], [65, 128], FEW, [260, 300]),
  box('more than 2^20 entries of B in a batch', FEW, [65, 128], [65, 128], [260, 300]),
  box('a batch of blocks', [81, 160], [81, 160], [81, 160], [8, 16]),
  cube('squares of multiples of 64 to 512', 128, 512, 64),
  box('sums of 2,049 to 4,096 terms, by blocks', [33, 80], [2049, 4096], [33, 80]),
  box('more than 2^22 results', [2049, 2300], [2, 7], [2049, 2300]),
  box('more than 2^21 rows', VERY_MANY, [1, 2], [1, 2]),
  box('more than 2^21 columns', [1, 2], [1, 2], VERY_MANY),
  box('more than 2^22 entries of A', [1025, 2300], [4097, 4400], [1, 3]),
  box('more than 2^22 entries of B', [1, 3], [4097, 4400], [1025, 2300]),
  box('all sizes beyond 256', [257, 500], [257, 500], [257, 500]),
  box('sums of 16,385 to 33,000 terms, by blocks', [16, 48], [16_385, 33_000], [16, 48]),
  box('all sizes beyond 512', [513, 640], [513, 640], [513, 640]),
  box('all sizes beyond 1024', [1025, 1400], [1025, 1400], [1025, 1400]),
  box('all sizes beyond 2048', [2049, 2300], [2049, 2300], [2049, 2300]),
];

/** The combinations of op(A) and op(B). */
export const OPS = [
  ['n', 'n'],
  ['n', 't'],
  ['t', 'n'],
  ['t', 't'],
] as const;

/** The combinations for complex entries, where op(A) and op(B) are conjugated in turn. */
export const COMPLEX_OPS = [...OPS, ['n', 'c'], ['c', 'n'], ['c', 't'], ['c', 'c']] as const;

/**
 * Returns shapes with 1 for each choice of sizes, one for each op(A) and op(B) in turn. Kernels have special paths for vectors and scalars,
 * and the layouts of these are ambiguous.
 */
export function shapesOfOnes(random: Random): Shape[] {
  const size = (isOne: boolean) => (isOne ? 1 : Math.floor(2 ** random.uniform(1, 6)));
  return Array.from({ length: 7 * OPS.length }, (_, at): Shape => {
    const ones = Math.floor(at / OPS.length) + 1;
    return { m: size((ones & 1) > 0), k: size((ones & 2) > 0), n: size((ones & 4) > 0) };
  });
}
