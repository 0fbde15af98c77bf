import type { Random } from '../../src/base/random.ts';
import type { Shape } from '../../src/matrix/dense.ts';

/** The matrices that are filled. */
export type Filled = 'a' | 'b' | 'c';

/** What a filled entry may depend on: its place after op, and the sizes of the product. */
export interface Place extends Shape {
  readonly row: number;
  readonly col: number;
}

/** How entries are drawn, in the order of rows; what a precision does not hold is rounded to it. */
export type Fill = (matrix: Filled, random: Random) => (place: Place) => number;

/** The same for every matrix. */
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

/**
 * Whole numbers from `low` to `high`, those of B with signs that take turns by rows and columns, as a board's fields.
 */
export const alternating =
  (low: number, high: number): Fill =>
  (matrix, random) =>
  ({ row, col }) =>
    random.int(low, high) * (matrix === 'b' && (row + col) % 2 === 1 ? -1 : 1);

/** 1, 2, 3, … by rows, beginning again behind `most`. */
export const counting =
  (most: number): Fill =>
  () => {
    let last = 0;
    return () => {
      last = (last % most) + 1;
      return last;
    };
  };
