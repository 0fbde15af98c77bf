import type { Matrix } from '../../matrix/dense.ts';
import { mapEntries } from '../fitted.ts';
import { acceptIf } from '../input.ts';
import { numberedEdit, plainEdit, structured } from './edit.ts';

/** Edit that makes all rows of C equal on any code path: in a full tile or at an edge. */
export const equalRows = plainEdit({
  name: 'equal-rows',
  what: 'Every row of A becomes the first.',
  traits: (before) => ({ ...before, statistics: 'structured' }),
  apply({ a }) {
    for (let i = 1; i < a.rows; i++) a.data.copyWithin(i * a.cols, 0, a.cols);
  },
});

/** Limits whole numbers of A to the size of those of B. Where sums stay exact, those of A may otherwise be too large for both. */
function keepWithin(a: Matrix, b: Matrix): void {
  let most = 0;
  for (let at = 0; at < b.data.length; at++) most = Math.max(most, Math.abs(b.data[at]));
  mapEntries(a, (x) => (Number.isInteger(x) && Math.abs(x) > most ? Math.sign(x) * Math.floor(most) : x));
}

/** Edit that makes a product of which libraries compute half and copy the other half. */
export const gram = plainEdit({
  name: 'gram',
  what: 'B becomes the transpose of A, so that the product is symmetric.',
  traits: structured,
  accepts: ({ m, n }) => acceptIf(m === n, 'B can be the transpose of A only if m = n'),
  apply({ a, b }) {
    keepWithin(a, b);
    mapEntries(b, (_, p, j) => a.data[j * a.cols + p]);
  },
});

/**
 * Edit that detects kernels that take operands at one address for a matrix and its transpose, and copy half of a product that is not
 * symmetric.
 */
export const squared = plainEdit({
  name: 'squared',
  what: 'B becomes A, so that the product is A·A.',
  traits: structured,
  accepts: ({ m, k, n }) => acceptIf(m === k && k === n, 'B can be A only if m = k = n'),
  apply({ a, b }) {
    keepWithin(a, b);
    b.data.set(a.data);
  },
});

/** Edit that detects kernels that read half of a matrix that they take for symmetric. */
export const symmetric = plainEdit({
  name: 'symmetric',
  what: 'A and B become symmetric if they are square.',
  // Rows and columns with scales of their own exchange entries.
  traits: (before) => ({
    ...before,
    statistics: 'structured',
    exactness: before.hasUnits === true || before.exactness === 'classical' ? 'none' : before.exactness,
  }),
  accepts: ({ m, k, n }) => acceptIf(m === k || k === n, 'neither A nor B is square'),
  apply({ a, b }) {
    for (const { rows, cols, data } of [a, b]) {
      if (rows !== cols) continue;
      for (let i = 0; i < rows; i++) for (let j = 0; j < i; j++) data[i * cols + j] = data[j * cols + i];
    }
  },
});

/**
 * Edit that pairs up inner indices p, q at random. Column q of A becomes the negative of column p. Row q of B becomes (1 − r·2^-x) times
 * row p, with r uniform on [½, 1] for each entry. The two terms of a pair then cancel but for about 2^-x of their size. The condition
 * number of each dot product is near 2^x (or less, where k is odd).
 */
export const cancel = numberedEdit(
  {
    name: 'cancel',
    what: 'Terms of each sum cancel in pairs, up to about 2^-x of their magnitude.',
    most: 24,
  },
  (bits) => ({
    traits: (before) => ({ ...before, exactness: 'none' }),
    accepts: ({ k }) => acceptIf(k >= 2, 'canceling terms need k ≥ 2'),
    apply({ a, b }, { random, stored }) {
      const order = random.permutation(a.cols);
      for (let at = 0; at + 1 < order.length; at += 2) {
        const [p, q] = [order[at], order[at + 1]];
        for (let i = 0; i < a.rows; i++) a.data[i * a.cols + q] = -a.data[i * a.cols + p];
        for (let j = 0; j < b.cols; j++) {
          const factor = 1 - random.uniform(0.5, 1) * 2 ** -bits;
          b.data[q * b.cols + j] = stored.round(b.data[p * b.cols + j] * factor);
        }
      }
    },
  }),
);
