import type { Random } from '../../src/base/random.ts';
import type { Shape } from '../../src/matrix/dense.ts';

/** Matrices to fill. */
export type FilledMatrix = 'a' | 'b' | 'c';

/** The place of an entry, on which its value may depend: its position after op, and the sizes of the product. */
export interface EntryPosition extends Shape {
  readonly row: number;
  readonly col: number;
}

/** Draws entries in row-major order; values are rounded to the precision. */
export type Fill = (matrix: FilledMatrix, random: Random) => (place: EntryPosition) => number;

/** A fill that is the same for every matrix. */
const each =
  (draw: (random: Random) => number): Fill =>
  (_, random) =>
  () =>
    draw(random);

/** Normal numbers of mean 0 and variance 1. */
export const normal: Fill = each((random) => random.normal());

/** Uniform numbers from `low` to `high`. */
export const uniform = (low: number, high: number): Fill => each((random) => random.uniform(low, high));

/** Whole numbers from `low` to `high`. */
export const integers = (low: number, high: number): Fill => each((random) => random.int(low, high));

/** Whole numbers from `low` to `high`; those of B have alternating signs, like a chessboard. */
export const alternating =
  (low: number, high: number): Fill =>
  (matrix, random) =>
  ({ row, col }) =>
    random.int(low, high) * (matrix === 'b' && (row + col) % 2 === 1 ? -1 : 1);

/** 1, 2, 3, … in row-major order, starting again after `most`. */
export const counting =
  (most: number): Fill =>
  () => {
    let last = 0;
    return () => {
      last = (last % most) + 1;
      return last;
    };
  };
