import { exp2 } from '../../base/binary64.ts';
import type { Random } from '../../base/random.ts';

/** A matrix under construction, in double, row-major. */
export interface DraftMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: Float64Array;
}

/** Makes a matrix of given sizes. All other properties are drawn. */
export type DraftGenerator = (rows: number, cols: number, random: Random) => DraftMatrix;

/** Changes a matrix in place. */
export type DraftChange = (table: DraftMatrix, random: Random) => void;

/** Returns a number from 2^least to 2^most, log-uniform. */
export const drawPower = (random: Random, least: number, most: number): number =>
  exp2(random.uniform(least, most));

export function makeDraft(rows: number, cols: number, entry: (i: number, j: number) => number): DraftMatrix {
  const data = new Float64Array(rows * cols);
  for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < cols; j++, at++) data[at] = entry(i, j);
  return { rows, cols, data };
}

/** Returns the function from places to entries. */
export const entryGetter =
  ({ cols, data }: DraftMatrix) =>
  (i: number, j: number): number =>
    data[i * cols + j];
