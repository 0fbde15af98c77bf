import * as z from 'zod/mini';
import type { Matrix } from '../matrix/dense.ts';

/** Cells along a side, at most. */
export const MOST_CELLS = 32;

/** Classes of size between the smallest and the largest value: digits 1 to {@link CLASSES}, and of negative ones {@link NEGATIVE} more. */
export const CLASSES = 13;

/** What is added to the class of a negative entry. */
export const NEGATIVE = 16;

/** The base of digits that stand for cells. */
export const BASE = 36;

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
   * Row-major, a digit a cell: 0 where all entries are, 1 to d in thirteen classes of equal ratio, h to t in the same classes where
   * the largest entry is negative, e where nothing is known, f where an entry is not finite.
   */
  cells: z.string().check(z.regex(/^[0-9a-fh-t]+$/)),
});
export type HeatMap = z.infer<typeof heatMap>;

/** Pictures of a product: what was multiplied, what was found, and how far that is off; a matrix without entries has none. */
export const productMaps = z.object({
  a: z.optional(heatMap),
  b: z.optional(heatMap),
  c: z.optional(heatMap),
  /** found − exact, of the worse of two products where the case was multiplied again. */
  error: z.optional(heatMap),
});
export type ProductMaps = z.infer<typeof productMaps>;

/**
 * The picture of a matrix whose entries are what `entryOf` says: NaN is not finite, undefined leaves no trace.
 * @returns undefined where the matrix has no entries.
 */
export function heatMapOf(
  { rows: m, cols: n }: Pick<Matrix, 'rows' | 'cols'>,
  entryOf: (entry: number) => number | undefined,
): HeatMap | undefined {
  if (m === 0 || n === 0) return undefined;
  const [rows, cols] = [Math.min(m, MOST_CELLS), Math.min(n, MOST_CELLS)];
  const largest = new Array<number | undefined>(rows * cols).fill(undefined);
  for (let i = 0; i < m; i++) {
    const row = Math.floor((i * rows) / m);
    for (let j = 0; j < n; j++) {
      const at = row * cols + Math.floor((j * cols) / n);
      const entry = entryOf(i * n + j);
      if (entry === undefined || Math.abs(entry) <= Math.abs(largest[at] ?? -0)) largest[at] ??= entry;
      else largest[at] = Number.isNaN(entry) ? Infinity : entry;
    }
  }
  const sizes = largest.map((entry) => Math.abs(entry ?? 0));
  const between = range(sizes.filter((size) => size > 0 && size < Infinity));
  const cells = largest.map((entry) => digit(entry, between)).join('');
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

function digit(entry: number | undefined, [low, high]: readonly [number, number] = [1, 1]): string {
  if (entry === undefined) return CELL.unknown;
  if (entry === 0) return CELL.zero;
  const size = Math.abs(entry);
  if (size === Infinity) return CELL.notFinite;
  const share = high > low ? Math.log2(size / low) / Math.log2(high / low) : 1;
  const kind = Math.min(CLASSES, Math.max(1, 1 + Math.floor(share * CLASSES)));
  return (entry < 0 ? NEGATIVE + kind : kind).toString(BASE);
}
