import type { Matrix } from '../../matrix/dense.ts';
import { specialIn, takeSpecials } from '../../precision/operand-encoding.ts';
import { singlePrecision } from '../../precision/single.ts';
import { type EditKind, wholeBetween } from './edit.ts';

const MOST = 64;
const VALUES = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0];

/** Least size of entries that meet an infinity, so that no rounding or flushing gives 0·∞. */
const LEAST = 2 ** -3;

/** Edit that puts NaN, infinities and zeros at random places of A and B. */
export const special: EditKind = {
  name: 'special',
  what: 'NaN, +∞, −∞, +0 or −0 at x random places of A and B.',
  takes: `a whole number from 1 to ${MOST}`,
  read(argument) {
    const count = wholeBetween(argument, 1, MOST);
    if (count === undefined) return undefined;
    return {
      text: `special:${count}`,
      traits: (before) => ({ ...before, statistics: 'structured', exactness: 'none', specials: true }),
      accepts: ({ precision = singlePrecision }) =>
        !takeSpecials(precision)
          ? { ok: false, reason: 'pairs have no infinities: the low part of an infinite sum is NaN' }
          : { ok: true },
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
    };
  },
};

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
