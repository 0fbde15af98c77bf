import type { Matrix } from '../../matrix/dense.ts';
import type { Format } from '../../precision/format.ts';
import type { EditKind } from './edit.ts';

/** Limit of products: 2^±480. Expected errors are computed from squares in double. */
const FARTHEST = 2 ** 480;

/** Binades of headroom above the largest sum that a level needs. It adds blocks before it multiplies, and then products of them. */
const OF_A_LEVEL = 3;

/** Edit that detects computation in a narrower range than that of the format. */
export const nearLargest: EditKind = {
  name: 'near-largest',
  what: 'A and B are multiplied by powers of two until sums of products come near the largest number.',
  takes: undefined,
  read: () => ({
    text: 'near-largest',
    // C is not scaled with them.
    traits: (before) => ({ ...before, exactness: 'none' }),
    accepts: ({ precision }) =>
      precision?.coded === undefined
        ? { ok: true }
        : { ok: false, reason: 'the order of multiplying factors decides about overflow' },
    apply({ a, b }, { multiplied, accumulated, result, levels }) {
      const room = OF_A_LEVEL * levels;
      const beside = (1 + 2 * a.cols * accumulated.unitRoundoff) * (1 + multiplied.unitRoundoff) ** 2;
      const largest = Math.min(accumulated.maxFinite, result.maxFinite, FARTHEST);
      const left = Math.floor(Math.log2(largest / beside / largestSum(a, b))) - room;
      const most = ({ data }: Matrix) => Math.floor(Math.log2(multiplied.maxFinite / largestOf(data))) - room;
      scale(a, b, left, [most(a), most(b)]);
    },
  }),
};

/** Edit that detects flushed results, and results lost below a threshold of the kernel. */
export const nearLeast: EditKind = {
  name: 'near-least',
  what: 'A and B are divided by powers of two as far as products and sums round in normal numbers.',
  takes: undefined,
  read: () => ({
    text: 'near-least',
    // C is not scaled with them.
    traits: (before) => ({ ...before, exactness: 'none' }),
    apply({ a, b }, { stored, multiplied, accumulated }) {
      const leastLog = ({ data }: Matrix) => Math.floor(Math.log2(leastOf(data)));
      const least = ({ minNormal }: Format) => Math.ceil(Math.log2(Math.max(minNormal, 1 / FARTHEST)));
      const left = leastLog(a) + leastLog(b) - (least(accumulated) + accumulated.precision);
      const most = (matrix: Matrix) =>
        leastLog(matrix) - Math.max(least(stored), least(multiplied)) - stored.precision;
      scale(a, b, -left, [most(a), most(b)]);
    },
  }),
};

/** Multiplies both matrices together by 2^power, in equal parts as far as each may go. */
function scale(a: Matrix, b: Matrix, power: number, [mostA, mostB]: readonly [number, number]): void {
  const size = Math.abs(power);
  const ofA = Math.max(0, Math.min(Math.ceil(size / 2), mostA));
  const ofB = Math.max(0, Math.min(size - ofA, mostB));
  // Zeros alone cannot come nearer.
  if (!Number.isFinite(ofA + ofB)) return;
  for (const [{ data }, own] of [
    [a, ofA],
    [b, ofB],
  ] as const) {
    const factor = 2 ** (Math.sign(power) * own);
    for (let at = 0; at < data.length; at++) data[at] *= factor;
  }
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

/** Returns the smallest nonzero magnitude. */
function leastOf(data: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < data.length; at++) if (data[at] !== 0) least = Math.min(least, Math.abs(data[at]));
  return least;
}
