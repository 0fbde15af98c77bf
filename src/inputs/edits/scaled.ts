import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import type { Format } from '../../precision/format.ts';
import { singlePrecision } from '../../precision/single.ts';
import { mapEntries } from '../fitted.ts';
import { acceptIf } from '../input.ts';
import {
  acceptNormal,
  type EditKind,
  numberedEdit,
  type PairTraits,
  plainEdit,
  UNLIKE_LINES,
  wholeUpTo,
} from './edit.ts';

/**
 * Edit that multiplies every entry by its own 2^e, e uniform from −argument to +argument. Random statistics stay random: the factors are
 * independent, as those of `wide-exponents` are.
 */
export const spread = numberedEdit(
  { name: 'spread', what: 'Every entry is multiplied by 2^e, e at random from −x to +x.', most: 60 },
  (most) => ({
    traits: (before) => ({ ...before, exactness: 'none', reach: enlarged(before, most) }),
    apply({ a, b }, { random, stored }) {
      for (const of of [a, b]) mapEntries(of, (x) => stored.round(x * 2 ** random.int(-most, most)));
    },
  }),
);

/** Returns the reach of entries of both matrices that are multiplied by up to 2^binades. */
const enlarged = ({ reach }: PairTraits, binades: number) => ({
  entries: reach.entries + binades,
  sums: reach.sums + 2 * binades,
});

/** Returns the reach of entries whose factors cancel in the product. */
const enlargedEntries = ({ reach }: PairTraits, binades: number) => ({
  ...reach,
  entries: reach.entries + binades,
});

/** Number of binades above 1 in which entries of families may lie. */
const ABOVE = 4;
const BINADES = 16;

/** Edit that detects kernels that compute whole numbers in integers: sums of two products are beyond 2³¹. */
export const whole = plainEdit({
  name: 'whole',
  what: `Entries are multiplied by 2^${BINADES} and truncated to whole numbers.`,
  traits: (before) => ({ ...before, exactness: 'none', reach: enlarged(before, BINADES) }),
  accepts: ({ precision = singlePrecision }) =>
    acceptIf(
      precision.multiplied.maxFinite >= 2 ** (BINADES + ABOVE),
      `entries of 2^${BINADES} are beyond ${precision.name}`,
    ),
  apply({ a, b }, { stored }) {
    for (const of of [a, b]) mapEntries(of, (x) => stored.round(Math.trunc(x * 2 ** BINADES)));
  },
});

const MOST_OPPOSED = 1000;

/** Edit that keeps the products. A kernel that rescales, squares or adds factors by themselves leaves the range. */
export const opposed: EditKind = {
  name: 'opposed',
  what: 'A is multiplied by 2^x and B divided by it.',
  takes: `a whole number from 1 to ${MOST_OPPOSED}, or its negative`,
  read(argument) {
    const size = wholeUpTo(MOST_OPPOSED, argument.replace(/^-/, ''));
    if (size === undefined) return undefined;
    const power = argument.startsWith('-') ? -size : size;
    return {
      text: `opposed:${power}`,
      traits: (before) => ({ ...before, reach: enlargedEntries(before, size), opposed: true }),
      accepts: ({ precision }) => acceptNormal(size, precision),
      apply({ a, b }, { stored }) {
        mapEntries(a, (x) => stored.round(x * 2 ** power));
        mapEntries(b, (x) => stored.round(x * 2 ** -power));
      },
    };
  },
};

/** Least and most bands of k. */
const BANDS = [2, 5] as const;

/**
 * Edit that keeps the product. A kernel with one scale for a whole matrix loses the small columns of A, or the small rows of B, though
 * their terms are as large as all others.
 */
export const farBands = numberedEdit(
  {
    name: 'far-bands',
    what: 'Bands of columns of A are multiplied by 2^x or divided by it in turn; the matching rows of B inversely.',
    most: 400,
  },
  (power) => ({
    traits: (before) => ({ ...before, reach: enlargedEntries(before, power), hasUnits: true }),
    accepts: ({ precision, levels = 0 }) => (levels > 0 ? UNLIKE_LINES : acceptNormal(power, precision)),
    apply({ a, b }, { shared, stored }) {
      const signs = signsOfBands(a.cols, shared);
      mapEntries(a, (x, _, p) => stored.round(x * 2 ** (signs[p] * power)));
      mapEntries(b, (x, p) => stored.round(x * 2 ** (-signs[p] * power)));
    },
  }),
);

/** Returns the sign of the band of each index of k. The cuts of bands are drawn, and the signs alternate. */
function signsOfBands(k: number, random: Random): number[] {
  const cuts = Array.from({ length: random.int(BANDS[0] - 1, BANDS[1] - 1) }, () =>
    random.int(1, Math.max(1, k - 1)),
  );
  const ends = [...new Set(cuts)].sort((x, y) => x - y);
  const first = random.sign();
  return Array.from({ length: k }, (_, p) => first * (-1) ** ends.filter((end) => end <= p).length);
}

/** Returns the traits of pairs whose C is not scaled with them. */
const inexact = (before: PairTraits): PairTraits => ({ ...before, exactness: 'none' });

/** Limit of products: 2^±480. Expected errors are computed from squares in double. */
const FARTHEST = 2 ** 480;

/** Binades of headroom above the largest sum that a level needs. It adds blocks before it multiplies, and then products of them. */
const OF_A_LEVEL = 3;

/** Edit that detects computation in a narrower range than that of the format. */
export const nearLargest = plainEdit({
  name: 'near-largest',
  what: 'A and B are multiplied by powers of two until sums of products come near the largest number.',
  traits: inexact,
  accepts: ({ precision }) =>
    acceptIf(precision?.coded === undefined, 'the order of multiplying factors decides about overflow'),
  apply({ a, b }, { multiplied, accumulated, result, levels }) {
    const room = OF_A_LEVEL * levels;
    const beside = (1 + 2 * a.cols * accumulated.unitRoundoff) * (1 + multiplied.unitRoundoff) ** 2;
    const largest = Math.min(accumulated.maxFinite, result.maxFinite, FARTHEST);
    const left = Math.floor(Math.log2(largest / beside / largestSum(a, b))) - room;
    const most = ({ data }: Matrix) => Math.floor(Math.log2(multiplied.maxFinite / largestOf(data))) - room;
    scale(a, b, left, [most(a), most(b)]);
  },
});

/** Edit that detects flushed results, and results lost below a threshold of the kernel. */
export const nearLeast = plainEdit({
  name: 'near-least',
  what: 'A and B are divided by powers of two as far as products and sums round in normal numbers.',
  traits: inexact,
  apply({ a, b }, { stored, multiplied, accumulated }) {
    const leastLog = ({ data }: Matrix) => Math.floor(Math.log2(leastOf(data)));
    const least = ({ minNormal }: Format) => Math.ceil(Math.log2(Math.max(minNormal, 1 / FARTHEST)));
    const left = leastLog(a) + leastLog(b) - (least(accumulated) + accumulated.precision);
    const most = (matrix: Matrix) =>
      leastLog(matrix) - Math.max(least(stored), least(multiplied)) - stored.precision;
    scale(a, b, -left, [most(a), most(b)]);
  },
});

/** Multiplies both matrices together by 2^power, in equal parts as far as each may go. */
function scale(a: Matrix, b: Matrix, power: number, [mostA, mostB]: readonly [number, number]): void {
  const size = Math.abs(power);
  const ofA = Math.max(0, Math.min(Math.ceil(size / 2), mostA));
  const ofB = Math.max(0, Math.min(size - ofA, mostB));
  // Zeros alone cannot come nearer.
  if (!Number.isFinite(ofA + ofB)) return;
  const [factorA, factorB] = [ofA, ofB].map((own) => 2 ** (Math.sign(power) * own));
  mapEntries(a, (x) => x * factorA);
  mapEntries(b, (x) => x * factorB);
}

/** Most multiplications for which sums are computed. Larger products use a bound. */
const ADDED = 2 ** 22;

/** Returns an upper bound of every sum of products, whatever their signs. */
const largestSum = (a: Matrix, b: Matrix): number =>
  a.rows * a.cols * b.cols <= ADDED ? largestOf(sizesOf(a, b)) : boundOf(a, b);

/** Returns |A|·|B|. */
function sizesOf(a: Matrix, b: Matrix): Float64Array {
  const sums = new Float64Array(a.rows * b.cols);
  for (let i = 0; i < a.rows; i++) {
    for (let p = 0; p < a.cols; p++) {
      const own = Math.abs(a.data[i * a.cols + p]);
      for (let j = 0; j < b.cols; j++) sums[i * b.cols + j] += own * Math.abs(b.data[p * b.cols + j]);
    }
  }
  return sums;
}

/** Bounds |A|·|B| by the sizes of each row of A times the largest of each row of B. */
function boundOf(a: Matrix, b: Matrix): number {
  const rows = new Float64Array(b.rows);
  for (let p = 0; p < b.rows; p++) rows[p] = largestOf(b.data.subarray(p * b.cols, (p + 1) * b.cols));
  let most = 0;
  for (let i = 0; i < a.rows; i++) {
    let sum = 0;
    for (let p = 0; p < a.cols; p++) sum += Math.abs(a.data[i * a.cols + p]) * rows[p];
    most = Math.max(most, sum);
  }
  return most;
}

function largestOf(data: ArrayLike<number>): number {
  let most = 0;
  for (let at = 0; at < data.length; at++) most = Math.max(most, Math.abs(data[at]));
  return most;
}

function leastOf(data: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < data.length; at++) if (data[at] !== 0) least = Math.min(least, Math.abs(data[at]));
  return least;
}
