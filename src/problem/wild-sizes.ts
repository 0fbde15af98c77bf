import { pickRandom, type Random } from '../base/random.ts';
import type { Shape } from '../matrix/dense.ts';
import type { BatchedShape } from './boundary-shapes.ts';

/** Number of products at least; and the limits of multiplications and entries: the usual one, and that of one program in `SELDOM`. */
const COUNT = 500;
const [USUAL, LARGE, SELDOM] = [2 ** 16, 2 ** 21, 8];

type Triple = readonly [m: number, k: number, n: number];

const mapped = ([m, k, n]: Triple, of: (size: number, at: number) => number): Triple => [
  of(m, 0),
  of(k, 1),
  of(n, 2),
];

/** Draws from 1 to the most, log-uniformly. */
const upTo = (random: Random, most: number): number =>
  Math.floor(2 ** random.uniform(0, Math.log2(most + 1)));

/** Draws a size that people choose: powers of two, decimal and tile sizes, and neighbors of these. */
function chosen(random: Random): number {
  const size = pickRandom(random, [
    2 ** random.int(0, 12),
    random.int(1, 16) * pickRandom(random, [2, 3, 8, 10, 12, 16, 32, 64, 100, 128]),
    pickRandom(random, [3, 5, 7, 9, 10, 27, 50, 100, 147, 256, 512, 576, 768, 784, 1000, 1024, 3072, 4096]),
  ]);
  return random.int(0, 3) === 0 ? Math.max(1, size + random.int(-2, 2)) : size;
}

const anySize = (random: Random): number =>
  pickRandom(random, [
    () => upTo(random, 4096),
    () => upTo(random, 64),
    () => random.int(1, 12),
    () => chosen(random),
  ])();

function anyTriple(random: Random): Triple {
  const [m, k, n] = [anySize(random), anySize(random), anySize(random)];
  return pickRandom<Triple>(random, [
    [m, k, n],
    [m, k, n],
    [m, k, n],
    [m, m, m],
    [m, k, m],
    [m, m, n],
    [m, k, k],
  ]);
}

/** The successive products of programs, with sizes that are drawn once. */
const programs: readonly ((random: Random, first: Triple) => Triple[])[] = [
  (_, first) => [first],
  (_, first) => [first],
  // A training step: forward, then backward for weights and for inputs, in either order.
  (random, [m, k, n]) => {
    const back: Triple[] = [
      [k, m, n],
      [m, n, k],
    ];
    return [[m, k, n], ...(random.int(0, 1) === 0 ? back : back.reverse())];
  },
  // Layers, each on the result of the one before.
  (random, [m, k, n]) => {
    const [wide, narrow] = [anySize(random), anySize(random)];
    return [
      [m, k, n],
      [m, n, wide],
      [m, wide, narrow],
    ];
  },
  // Batches of rows, the last of which is short.
  (random, [m, k, n]) => [
    [m, k, n],
    [m, k, n],
    [random.int(1, m), k, n],
  ],
  // Sizes that grow by each step: a text, a basis, a factorization.
  (random, [m, k, n]) => {
    const which = random.int(0, 2);
    const step = random.int(1, 8) * random.sign();
    const grown = (by: number) =>
      mapped([m, k, n], (size, at) => (at === which ? Math.max(1, size + by * step) : size));
    return [0, 1, 2, 3].map(grown);
  },
  // Scores, and their weighted sums.
  (_, [m, k, n]) => [
    [m, k, n],
    [m, n, k],
  ],
  // Sizes in every order, and neighbors of these.
  (random, first) => {
    const order = random.permutation(3);
    const turned = mapped(first, (_, at) => first[order[at]]);
    return [first, turned, mapped(turned, (size) => Math.max(1, size + random.int(-1, 1)))];
  },
];

const weightOf = (m: number, k: number, n: number) => Math.max(m * k * n, m * k, k * n, m * n);

/**
 * Returns the sizes of successive products in programs: of every binade and of round numbers, equal and unequal, alone and in batches. They
 * have no design, so no kernel can exploit one.
 */
export function wildSizes(random: Random, takesBatches: boolean): BatchedShape[] {
  const all: BatchedShape[] = [];
  while (all.length < COUNT) {
    const most = random.int(1, SELDOM) === 1 ? LARGE : USUAL;
    const first = anyTriple(random);
    const triples = pickRandom(random, programs)(random, first);
    if (triples.some((sizes) => weightOf(...sizes) > most)) continue;
    const room = Math.floor(most / Math.max(...triples.map((sizes) => weightOf(...sizes))));
    const batch = takesBatches && random.int(0, 3) === 0 ? Math.min(room, upTo(random, 2100)) : 1;
    all.push(...triples.map(([m, k, n]) => ({ m, k, n, ...(batch > 1 ? { batch } : {}) })));
  }
  return all;
}

/** Number of parts of the range of the long size, on a log scale. */
const PARTS = 12;
const [LEAST, MOST] = [129, 4096];
const BESIDE = 40;

/** Returns shapes with one long size and two small ones: `times` shapes for each part of the range of each dimension. */
export function thinShapes(random: Random, times: number): Shape[] {
  const small = () => Math.floor(BESIDE ** random.uniform(0, 1));
  return Array.from({ length: 3 * PARTS * times }, (_, at): Shape => {
    const [part, key] = [Math.floor(at / times) % PARTS, Math.floor(at / times / PARTS)];
    const long = Math.floor(LEAST * (MOST / LEAST) ** ((part + random.uniform(0, 1)) / PARTS));
    const sizes = [small(), small(), small()];
    sizes[key] = long;
    const [m, k, n] = sizes;
    return { m, k, n };
  });
}

/** The largest size of products that are tiny in all dimensions. */
const TINY = 3;

/** Returns all tiny shapes, in random order: kernels compute these by other paths, which ignore features of the others. */
export const tinyShapes = (random: Random): Shape[] =>
  [...random.permutation(TINY ** 3)].map((at) => ({
    m: (at % TINY) + 1,
    k: (Math.floor(at / TINY) % TINY) + 1,
    n: Math.floor(at / TINY ** 2) + 1,
  }));
