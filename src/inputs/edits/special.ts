import type { Matrix } from '../../matrix/dense.ts';
import { specialIn, takeSpecials } from '../../precision/operand-encoding.ts';
import { singlePrecision } from '../../precision/single.ts';
import { mapEntries } from '../fitted.ts';
import { acceptIf } from '../input.ts';
import { type EditKind, numberedEdit, type PairTraits, plainEdit } from './edit.ts';

const VALUES = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0];

/** Least size of entries that meet an infinity, so that no rounding or flushing gives 0·∞. */
const LEAST = 2 ** -3;

/** Returns the traits of pairs with NaN or infinities. */
const withSpecials = (before: PairTraits): PairTraits => ({
  ...before,
  statistics: 'structured',
  exactness: 'none',
  specials: true,
});

/** Edit that puts NaN, infinities and zeros at random places of A and B. */
export const special = numberedEdit(
  { name: 'special', what: 'NaN, +∞, −∞, +0 or −0 at x random places of A and B.', most: 64 },
  (count) => ({
    traits: withSpecials,
    accepts: ({ precision = singlePrecision }) =>
      acceptIf(takeSpecials(precision), 'pairs have no infinities: the low part of an infinite sum is NaN'),
    apply({ a, b }, { random, stored }) {
      const sizes = a.data.length + b.data.length;
      for (let placed = 0; placed < count; placed++) {
        const at = random.int(0, sizes - 1);
        const value = specialIn({ a: stored, b: stored }, VALUES[random.int(0, VALUES.length - 1)]);
        if (at < a.data.length) a.data[at] = value;
        else b.data[at - a.data.length] = value;
      }
      raiseWhatMeetsInfinity(a, b);
    },
  }),
);

function raiseWhatMeetsInfinity(a: Matrix, b: Matrix): void {
  for (let p = 0; p < a.cols; p++) {
    const column = Array.from({ length: a.rows }, (_, i) => i * a.cols + p);
    const row = Array.from({ length: b.cols }, (_, j) => p * b.cols + j);
    if (column.some((at) => isInfinite(a.data[at]))) raise(b, row);
    if (row.some((at) => isInfinite(b.data[at]))) raise(a, column);
  }
}

const isInfinite = (x: number) => Math.abs(x) === Number.POSITIVE_INFINITY;

function raise({ data }: Matrix, places: readonly number[]): void {
  for (const at of places) {
    const size = Math.abs(data[at]);
    if (size > 0 && size < LEAST) data[at] = Math.sign(data[at]) * LEAST;
  }
}

const ZERO_EVERY = 4;

/** Edit that detects kernels that skip zeros, or recognize them by their bits. */
export const minusZeros = plainEdit({
  name: 'minus-zeros',
  what: `One entry in ${ZERO_EVERY} becomes −0.`,
  apply({ a, b }, { random }) {
    for (const of of [a, b]) mapEntries(of, (x) => (random.int(1, ZERO_EVERY) === 1 ? -0 : x));
  },
});

const PLACES = ['row', 'column', 'last'];

/** Edit that puts NaN where it must reach one row, one column, or one row and column of C only by their last term. */
export const nan: EditKind = {
  name: 'nan',
  what: 'NaN in a row of A, in a column of B, or in one entry of each at the last k.',
  takes: PLACES.join(', '),
  read(argument) {
    if (!PLACES.includes(argument)) return undefined;
    return {
      text: `nan:${argument}`,
      traits: withSpecials,
      accepts: ({ precision = singlePrecision }) =>
        acceptIf(takeSpecials(precision), `pairs of ${precision.name} have no NaN`),
      apply({ a, b }, { random }) {
        const [i, j] = [random.int(0, a.rows - 1), random.int(0, b.cols - 1)];
        const k = a.cols;
        if (argument === 'row') a.data.fill(Number.NaN, i * k, (i + 1) * k);
        else if (argument === 'column') for (let p = 0; p < k; p++) b.data[p * b.cols + j] = Number.NaN;
        else {
          a.data[i * k + k - 1] = Number.NaN;
          b.data[(k - 1) * b.cols + j] = Number.NaN;
        }
      },
    };
  },
};
