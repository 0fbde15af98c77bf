import type { Matrix } from '../../matrix/dense.ts';
import { takeSpecials } from '../../precision/operand-encoding.ts';
import { singlePrecision } from '../../precision/single.ts';
import { type EditKind, type PairTraits, wholeBetween } from './edit.ts';

const MOST = 1000;
/** Number of binades below 1 in which entries of families may lie. They stay normal after the division. */
const GRAIN = 24;

/** Edit that keeps the products. A kernel that rescales, squares or adds factors by themselves leaves the range. */
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

/** Edit that makes all rows of C equal on any code path: in a full tile or at an edge. */
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

/** Limits whole numbers of A to the size of those of B. Where sums stay exact, those of A may otherwise be too large for both. */
function keepWithin(a: Matrix, b: Matrix): void {
  let most = 0;
  for (let at = 0; at < b.data.length; at++) most = Math.max(most, Math.abs(b.data[at]));
  for (let at = 0; at < a.data.length; at++) {
    const x = a.data[at];
    if (Number.isInteger(x) && Math.abs(x) > most) a.data[at] = Math.sign(x) * Math.floor(most);
  }
}

/** Returns the traits of products of a matrix by itself or by its transpose. Entries meet equal ones, and whole numbers stay whole. */
const ofOneMatrix = (before: PairTraits): PairTraits => ({
  ...before,
  statistics: 'structured',
  exactness: before.exactness === 'integers' ? 'integers' : 'none',
  isSpread: true,
});

/** Edit that makes a product of which libraries compute half and copy the other half. */
export const gram: EditKind = {
  name: 'gram',
  what: 'B becomes the transpose of A, so that the product is symmetric.',
  takes: undefined,
  read: () => ({
    text: 'gram',
    traits: ofOneMatrix,
    accepts: ({ m, n }) =>
      m === n ? { ok: true } : { ok: false, reason: 'B can be the transpose of A only if m = n' },
    apply({ a, b }) {
      keepWithin(a, b);
      for (let p = 0; p < b.rows; p++)
        for (let j = 0; j < b.cols; j++) b.data[p * b.cols + j] = a.data[j * a.cols + p];
    },
  }),
};

/**
 * Edit that detects kernels that take operands at one address for a matrix and its transpose, and copy half of a product that is not
 * symmetric.
 */
export const squared: EditKind = {
  name: 'squared',
  what: 'B becomes A, so that the product is A·A.',
  takes: undefined,
  read: () => ({
    text: 'squared',
    traits: ofOneMatrix,
    accepts: ({ m, k, n }) =>
      m === k && k === n ? { ok: true } : { ok: false, reason: 'B can be A only if m = k = n' },
    apply({ a, b }) {
      keepWithin(a, b);
      b.data.set(a.data);
    },
  }),
};

/** Edit that detects kernels that read half of a matrix that they take for symmetric. */
export const symmetric: EditKind = {
  name: 'symmetric',
  what: 'A and B become symmetric if they are square.',
  takes: undefined,
  read: () => ({
    text: 'symmetric',
    // Rows and columns with scales of their own exchange entries.
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

/** One entry in this many becomes zero. */
const ZERO_EVERY = 4;

/** Edit that detects kernels that skip zeros, or recognize them by their bits. */
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

/** Edit that puts NaN where it must reach one row, one column, or one row and column of C only by their last term. */
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
