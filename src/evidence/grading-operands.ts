import { createRandom, type Random } from '../base/random.ts';
import { fillMatrix, fittedPair, isFitted } from '../inputs/fitted.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import type { Coding, Operand } from '../precision/coding/coding.ts';
import { quantize } from '../precision/coding/quantize.ts';
import type { Precision } from '../precision/precision.ts';

export interface GradingOperands {
  readonly name: string;
  /** One clause: the grade that these operands deny, and the algorithms that they deny it to. */
  readonly tells: string;
  make(how: Making): Pair;
}

/** An entry (i, p) of A or (p, j) of B. */
type Entry = (row: number, col: number) => number;
interface Pair {
  readonly a: Entry;
  readonly b: Entry;
}

/** Parameters of making operands. */
interface Making {
  readonly shape: Shape;
  /** The largest exponent of two to scale by: {@link reachOf}. */
  readonly reach: number;
  /** Block size, in inner indices, at which a recursion stops; all such blocks get the same exponents. */
  readonly block: number;
  readonly random: Random;
}

/** A random number from ±[½, 1). */
const signed = (random: Random) => random.sign() * random.uniform(0.5, 1);
/** Scales for two halves that are far apart: recursion with any number of levels adds one half to the other. */
const half = (at: number, count: number, reach: number) => 2 ** (2 * at < count ? -reach : reach);
/** Returns exponents from the reach down to its negative in equal steps, rounded to whole numbers. */
const stairs = (count: number, reach: number) =>
  Array.from({ length: count }, (_, at) => reach - Math.floor((2 * reach * at) / Math.max(1, count - 1)));

/**
 * Operands by family. The last three are those of tests 2, 4 and 6 that NVIDIA publishes (CUDALibrarySamples,
 * cuBLAS/Emulation/gemm_grading, 2025), after J. Demmel and others, except for their number of inner indices; `uniform` is that of its
 * grading program.
 */
export const gradingOperands = {
  uniform: {
    name: 'uniform',
    tells: 'shows if the errors fit the precision, and how they grow',
    make: ({ random }) => ({ a: () => random.uniform(0, 1), b: () => random.uniform(0, 1) }),
  },
  outer: {
    name: 'rows of A and columns of B scaled',
    tells: 'denies grade B to algorithms that add rows or columns, and to one exponent for a whole matrix',
    make: ({ shape: { m, n }, reach, random }) => ({
      a: (i) => signed(random) * half(i, m, reach),
      b: (_, j) => signed(random) * half(j, n, reach),
    }),
  },
  inner: {
    name: 'columns of A and rows of B scaled',
    tells: 'denies grade A to algorithms that add blocks, even with scaled rows and columns',
    make: ({ shape: { k }, reach, random }) => ({
      a: (_, p) => signed(random) / half(p, k, reach),
      b: (p) => signed(random) * half(p, k, reach),
    }),
  },
  wide: {
    name: 'wide exponents',
    tells: 'denies grade A to operands split into too few parts, and to one exponent for each inner index',
    make: ({ reach, random }) => {
      const entry = () => signed(random) * 2 ** random.int(-reach, reach);
      return { a: entry, b: entry };
    },
  },
  zeros: {
    name: 'complementary zeros',
    tells: 'denies grade A to algorithms that add rows or columns (test 2)',
    make: ({ shape, random }) => {
      const zeros = zerosOf(shape, random);
      const kept = (isZero: boolean | undefined) => (isZero === true ? 0 : random.normal());
      return { a: (i, p) => kept(zeros.a.get(i)?.[p]), b: (p, j) => kept(zeros.b.get(j)?.[p]) };
    },
  },
  shifted: {
    name: 'exponents in a circle',
    tells: 'denies grade A to fixed point (test 4)',
    make: ({ shape: { k }, reach, random }) => {
      const x = Array.from({ length: k }, () => random.uniform(1, 2));
      const exponents = stairs(k, reach);
      return {
        a: (i, p) => x[(i + p) % k] * 2 ** exponents[(i + p) % k],
        b: (p, j) => x[(p + j) % k] * 2 ** -exponents[(p + j) % k],
      };
    },
  },
  blocks: {
    name: 'exponents alike in all blocks',
    tells: 'separates fixed-point Strassen from Strassen in floating point (test 6)',
    make: ({ shape: { m, k, n }, reach, block, random }) => {
      const count = Math.min(block, k);
      const order = random.permutation(count);
      const exponents = stairs(count, reach);
      const scale = (p: number) => exponents[order[p % count]];
      const largest = 2 ** reach;
      return {
        a: (i, p) => random.uniform(1, 2) * (i === m - 1 ? largest : 2 ** scale(p)),
        b: (p, j) => random.uniform(1, 2) * (j === n - 1 ? largest : 2 ** -scale(p)),
      };
    },
  },
} as const satisfies Readonly<Record<string, GradingOperands>>;

export type GradingFamily = keyof typeof gradingOperands;

/**
 * Returns the inner indices with zeros, for half of the rows of A and as many columns of B. In each pair, A's row has zeros at a random
 * set of indices and B's column at all others, so that their inner product has no term.
 */
function zerosOf({ m, k, n }: Shape, random: Random) {
  const pairs = Math.max(1, Math.floor(Math.min(m, n) / 2));
  const [rows, cols] = [random.permutation(m), random.permutation(n)];
  const zeros = { a: new Map<number, readonly boolean[]>(), b: new Map<number, readonly boolean[]>() };
  for (let pair = 0; pair < pairs; pair++) {
    const order = random.permutation(k);
    const split = k < 2 ? k : random.int(1, k - 1);
    const isZero = Array.from({ length: k }, () => false);
    for (let at = 0; at < split; at++) isZero[order[at]] = true;
    zeros.a.set(rows[pair], isZero);
    zeros.b.set(
      cols[pair],
      isZero.map((zero) => !zero),
    );
  }
  return zeros;
}

/** Options for drawing operands. */
export interface GradingDraw {
  readonly precision: Precision;
  readonly seed: number;
  /** Levels of recursion that the kernel claims. */
  readonly levels: number;
}

/** Makes A (m×k) and B (k×n); for coded operands, as the numbers that the codes stand for. */
export function makeOperands(
  { make }: GradingOperands,
  shape: Shape,
  { precision, seed, levels }: GradingDraw,
): { a: Matrix; b: Matrix } {
  const { m, k, n } = shape;
  const grain = precision.a.bytes > 4 ? 'fine' : 'coarse';
  const reach = reachOf(precision, k, levels);
  // NVIDIA's own methods stop at 16.
  const block = levels === 0 ? 16 : Math.max(1, Math.floor(k / 2 ** levels));
  const { a, b } = make({ shape, reach, block, random: createRandom(seed, 1, grain) });
  if (isFitted(precision)) return fittedPair({ a: fillMatrix(m, k, a), b: fillMatrix(k, n, b) }, precision);
  const { coded = {} } = precision;
  return {
    a: asCoded(fillMatrix(m, k, a, precision.a), 'a', coded.a),
    b: asCoded(fillMatrix(k, n, b, precision.b), 'b', coded.b),
  };
}

const asCoded = (x: Matrix, of: Operand, coding: Coding | undefined): Matrix =>
  coding === undefined ? x : quantize(x, of, coding).decoded;

/**
 * Returns the largest exponent of two by which the operands of sums of k terms may be scaled. In binary64 it is 510 − log2 k, as in tests
 * 4 and 6, and in narrower formats accordingly half of the exponents, so that products and their sums stay in the normal range. That
 * leaves log2 k + 2 exponents to spare. Each level of a recursion may need six: sums of four blocks of A, of B, of C. Where operands are
 * coded, no entry of a block becomes 0 beside another.
 */
export function reachOf(
  { a, b, multiplied, accumulated, d, coded = {} }: Precision,
  k: number,
  levels: number,
): number {
  const formats = [a, b, multiplied, accumulated, d];
  const top = Math.min(...formats.map(({ maxFinite }) => Math.ceil(Math.log2(maxFinite) / 2)));
  const bottom = Math.min(...formats.map(({ minNormal }) => Math.floor(-Math.log2(minNormal) / 2)));
  const terms = Math.ceil(Math.log2(k));
  const room = terms + 2 + Math.max(0, Math.ceil((6 * levels - terms - 2) / 2));
  const within = [coded.a, coded.b].flatMap((coding) => (coding === undefined ? [] : [reachWithin(coding)]));
  return Math.max(0, Math.min(top - room, bottom - 2, ...within));
}

/** Returns the range of exponents, up and down, in which no entry of a block becomes 0. */
function reachWithin({ element, zero }: Coding): number {
  const range = Math.floor(Math.log2(element.maxFinite / element.minSubnormal));
  return Math.max(0, Math.floor((range - (zero === undefined ? 1 : 3)) / 2));
}
