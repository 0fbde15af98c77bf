import type { Matrix } from '../matrix/dense.ts';

/** The sizes of a product to which a step applies: `batch` products of m×n, one below the other. */
export interface EntrySizes {
  readonly m: number;
  readonly n: number;
  readonly batch: number;
}

/** The numbers of a parameter: one, or one for each entry that repeats a row, a column or a product. */
export type EntryNumbers = number | Matrix;

/** Returns the number of row i of all products and column j. */
export function numberAt(numbers: EntryNumbers, m: number, i: number, j: number): number {
  if (typeof numbers === 'number') return numbers;
  const { rows, cols, data } = numbers;
  const row = rows === 1 ? 0 : rows === m ? i % m : i;
  return data[row * cols + (cols === 1 ? 0 : j)];
}

/** Explains why a tensor does not fit a product, as a clause; undefined where it does. */
export function whyMisfit(
  key: string,
  { rows, cols }: Matrix,
  tensor: 'any' | 'all',
  { m, n, batch }: EntrySizes,
): string | undefined {
  const isFull = (rows === m || rows === batch * m) && cols === n;
  const isLine = (rows === 1 && cols === n) || (cols === 1 && (rows === m || rows === batch * m));
  if (tensor === 'all' ? isFull : isLine || (rows === 1 && cols === 1)) return undefined;
  const need = tensor === 'all' ? `a ${m}×${n} matrix` : `a number, a row of ${n} or a column of ${m}`;
  return `"${key}" ${rows === 1 ? `has ${cols} entries` : `is ${rows}×${cols}`}; ${need} is needed`;
}

/** Returns the place of a tensor's numbers in words. */
export const placeOf = (numbers: EntryNumbers): string =>
  typeof numbers === 'number' || (numbers.rows === 1 && numbers.cols === 1)
    ? 'scalar'
    : numbers.rows === 1
      ? 'row'
      : numbers.cols === 1
        ? 'column'
        : 'matrix';
