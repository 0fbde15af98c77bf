import * as z from 'zod/mini';
import type { Matrix } from '../matrix/dense.ts';

/** Cells along a side, at most. */
export const MOST_CELLS = 32;

/** Classes of size between the smallest and the largest value: digits 1 to {@link CLASSES}. */
export const CLASSES = 13;

/** What stands for a cell that has no class. */
export const CELL = { zero: '0', unknown: 'e', notFinite: 'f' } as const;

/** A matrix as a picture: of each cell the entry that is largest, on a logarithmic scale. */
export const heatMap = z.object({
  /** Of the matrix. */
  of: z.tuple([z.int().check(z.gte(1)), z.int().check(z.gte(1))]),
  rows: z.int().check(z.gte(1), z.lte(MOST_CELLS)),
  cols: z.int().check(z.gte(1), z.lte(MOST_CELLS)),
  /** The smallest and the largest finite size of a cell but 0; absent where there is none. */
  between: z.optional(z.tuple([z.number().check(z.positive()), z.number().check(z.positive())])),
  /**
   * Row-major, a hexadecimal digit a cell: 0 where all entries are, 1 to d in thirteen classes of equal ratio, e where nothing
   * is known, f where an entry is not finite.
   */
  cells: z.string().check(z.regex(/^[0-9a-f]+$/)),
});
export type HeatMap = z.infer<typeof heatMap>;

/** Pictures of a product: what was multiplied, what was found, and how far that is off; a matrix without entries has none. */
export const productMaps = z.object({
  a: z.optional(heatMap),
  b: z.optional(heatMap),
  c: z.optional(heatMap),
  /** |found − exact|, of the worse of two products where the case was multiplied again. */
  error: z.optional(heatMap),
});
export type ProductMaps = z.infer<typeof productMaps>;

/** The size of an entry that was not compared. */
export const UNKNOWN = -1;

/**
 * The picture of a matrix whose entries have the sizes that `sizeOf` says: NaN is not finite, {@link UNKNOWN} leaves no trace.
 * @returns undefined where the matrix has no entries.
 */
export function heatMapOf(
  { rows: m, cols: n }: Pick<Matrix, 'rows' | 'cols'>,
  sizeOf: (entry: number) => number,
): HeatMap | undefined {
  if (m === 0 || n === 0) return undefined;
  const [rows, cols] = [Math.min(m, MOST_CELLS), Math.min(n, MOST_CELLS)];
  const largest = new Array<number>(rows * cols).fill(UNKNOWN);
  for (let i = 0; i < m; i++) {
    const row = Math.floor((i * rows) / m);
    for (let j = 0; j < n; j++) {
      const at = row * cols + Math.floor((j * cols) / n);
      const size = sizeOf(i * n + j);
      if (!(size <= largest[at])) largest[at] = Number.isNaN(size) ? Infinity : size;
    }
  }
  const between = range(largest.filter((size) => size > 0 && size < Infinity));
  const cells = largest.map((size) => digit(size, between)).join('');
  return { of: [m, n], rows, cols, ...(between === undefined ? {} : { between }), cells };
}

/** The smallest and the largest, in three digits. */
function range(sizes: readonly number[]): [number, number] | undefined {
  if (sizes.length === 0) return undefined;
  const rounded = (x: number) => {
    const short = Number(x.toPrecision(3));
    return Number.isFinite(short) ? short : x;
  };
  return [rounded(Math.min(...sizes)), rounded(Math.max(...sizes))];
}

function digit(size: number, [low, high]: readonly [number, number] = [1, 1]): string {
  if (size === UNKNOWN) return CELL.unknown;
  if (size === 0) return CELL.zero;
  if (size === Infinity) return CELL.notFinite;
  const share = high > low ? Math.log2(size / low) / Math.log2(high / low) : 1;
  const kind = 1 + Math.floor(share * CLASSES);
  return Math.min(CLASSES, Math.max(1, kind)).toString(16);
}
