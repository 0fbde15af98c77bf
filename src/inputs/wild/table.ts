import type { Random } from '../../base/random.ts';
import { exp2 } from '../exp2.ts';

/** A matrix that is being made, in doubles, row by row. */
export interface Table {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

/** Makes a matrix of sizes; what it does not fix it draws. */
export type Making = (rows: number, cols: number, random: Random) => Table;

/** Changes a matrix in place. */
export type Change = (table: Table, random: Random) => void;

/** From 2^least to 2^most, of all binades alike. */
export const power = (random: Random, least: number, most: number): number =>
  exp2(random.uniform(least, most));

export function tableOf(rows: number, cols: number, entry: (i: number, j: number) => number): Table {
  const data = new Float64Array(rows * cols);
  for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < cols; j++, at++) data[at] = entry(i, j);
  return { rows, cols, data };
}

/** Gives each entry another value, of its value and its place. */
export function mapTable({ cols, data }: Table, of: (x: number, i: number, j: number) => number): void {
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    data[at] = of(data[at], i, j);
    if (++j === cols) [i, j] = [i + 1, 0];
  }
}

/** Its entries by their places. */
export const entryOf =
  ({ cols, data }: Table) =>
  (i: number, j: number): number =>
    data[i * cols + j];
