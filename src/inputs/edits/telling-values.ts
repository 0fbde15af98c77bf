import type { Matrix } from '../../matrix/dense.ts';
import { takeSpecials } from '../../precision/entering.ts';
import { singlePrecision } from '../../precision/single.ts';
import { type EditKind, type Traits, wholeBetween } from './edit.ts';

const MOST = 1000;
/** Binades that entries of families lie below 1, and are still normal after they are divided. */
const GRAIN = 24;

/** Products are what they were, but a kernel that rescales, squares or adds up factors by themselves leaves the range. */
export const opposed: EditKind = {
  name: 'opposed',
  what: 'A is multiplied by 2^x and B divided by it.',
  takes: `a whole number from 1 to ${MOST}, or its negative`,
  read(argument) {
    const size = wholeBetween(argument.replace(/^-/, ''), 1, MOST);
    if (size === undefined) return undefined;
    const power = argument.startsWith('-') ? -size : size;
    return {
      text: `opposed:${power}`,
      traits: (before) => ({
        ...before,
        reach: { ...before.reach, entries: before.reach.entries + size },
        opposed: true,
      }),
      accepts: ({ precision = singlePrecision }) =>
        2 ** (-size - GRAIN) >= precision.multiplied.minNormal
          ? { ok: true }
          : { ok: false, reason: `entries of 2^-${size + GRAIN} are not normal in ${precision.name}` },
      apply({ a, b }, { stored }) {
        for (let at = 0; at < a.data.length; at++) a.data[at] = stored.round(a.data[at] * 2 ** power);
        for (let at = 0; at < b.data.length; at++) b.data[at] = stored.round(b.data[at] * 2 ** -power);
      },
    };
  },
};

/** Rows of C come out the same, whoever computes them: on one path or another, in a full tile or at an edge. */
export const equalRows: EditKind = {
  name: 'equal-rows',
  what: 'Every row of A becomes the first.',
  takes: undefined,
  read: () => ({
    text: 'equal-rows',
    traits: (before) => ({ ...before, statistics: 'structured' }),
    apply({ a }) {
      for (let i = 1; i < a.rows; i++) a.data.copyWithin(i * a.cols, 0, a.cols);
    },
  }),
};

/** Makes whole numbers of A no larger than those of B: where sums are to stay exact, A's may be larger than is good for both. */
function keepWithin(a: Matrix, b: Matrix): void {
  let most = 0;
  for (let at = 0; at < b.data.length; at++) most = Math.max(most, Math.abs(b.data[at]));
  for (let at = 0; at < a.data.length; at++) {
    const x = a.data[at];
    if (Number.isInteger(x) && Math.abs(x) > most) a.data[at] = Math.sign(x) * Math.floor(most);
  }
}

/** For products of a matrix by itself or by its transpose: entries meet their likes, and whole numbers stay whole. */
const ofOneMatrix = (before: Traits): Traits => ({
  ...before,
  statistics: 'structured',
  exactness: before.exactness === 'integers' ? 'integers' : 'none',
  isSpread: true,
});

/** Libraries compute half of such a product, and copy the other. */
export const gram: EditKind = {
  name: 'gram',
  what: 'B becomes the transpose of A, so that the product is symmetric.',
  takes: undefined,
  read: () => ({
    text: 'gram',
    traits: ofOneMatrix,
    accepts: ({ m, n }) =>
      m === n ? { ok: true } : { ok: false, reason: 'A and B are no transposes of one another unless m = n' },
    apply({ a, b }) {
      keepWithin(a, b);
      for (let p = 0; p < b.rows; p++)
        for (let j = 0; j < b.cols; j++) b.data[p * b.cols + j] = a.data[j * a.cols + p];
    },
  }),
};

/** Who takes operands that are one in memory for a matrix and its transpose copies half of a product that is not symmetric. */
export const squared: EditKind = {
  name: 'squared',
  what: 'B becomes A, so that the product is A·A.',
  takes: undefined,
  read: () => ({
    text: 'squared',
    traits: ofOneMatrix,
    accepts: ({ m, k, n }) =>
      m === k && k === n ? { ok: true } : { ok: false, reason: 'A and B are of one shape where m = k = n' },
    apply({ a, b }) {
      keepWithin(a, b);
      b.data.set(a.data);
    },
  }),
};

/** A kernel may read half of what it takes for symmetric. */
export const symmetric: EditKind = {
  name: 'symmetric',
  what: 'A and B become symmetric, where they are square.',
  takes: undefined,
  read: () => ({
    text: 'symmetric',
    // Rows and columns of scales of their own exchange entries.
    traits: (before) => ({
      ...before,
      statistics: 'structured',
      exactness: before.hasUnits === true || before.exactness === 'classical' ? 'none' : before.exactness,
    }),
    accepts: ({ m, k, n }) =>
      m === k || k === n ? { ok: true } : { ok: false, reason: 'neither A nor B is square' },
    apply({ a, b }) {
      for (const { rows, cols, data } of [a, b]) {
        if (rows !== cols) continue;
        for (let i = 0; i < rows; i++) for (let j = 0; j < i; j++) data[i * cols + j] = data[j * cols + i];
      }
    },
  }),
};

/** One entry in so many becomes zero. */
const ZERO_EVERY = 4;

/** What skips zeros, or tells them by their bits, meets them here. */
export const minusZeros: EditKind = {
  name: 'minus-zeros',
  what: `One entry in ${ZERO_EVERY} becomes −0.`,
  takes: undefined,
  read: () => ({
    text: 'minus-zeros',
    traits: (before) => before,
    apply({ a, b }, { random }) {
      for (const { data } of [a, b])
        for (let at = 0; at < data.length; at++) if (random.int(1, ZERO_EVERY) === 1) data[at] = -0;
    },
  }),
};

const PLACES = ['row', 'column', 'last'];

/** NaN where it must reach one row, one column, or one row and column of C by their last term alone. */
export const nan: EditKind = {
  name: 'nan',
  what: 'NaN in a row of A, in a column of B, or in one entry of each at the last k.',
  takes: PLACES.join(', '),
  read(argument) {
    if (!PLACES.includes(argument)) return undefined;
    return {
      text: `nan:${argument}`,
      traits: (before) => ({ ...before, statistics: 'structured', exactness: 'none', specials: true }),
      accepts: ({ precision = singlePrecision }) =>
        takeSpecials(precision)
          ? { ok: true }
          : { ok: false, reason: `pairs of ${precision.name} have no NaN` },
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
