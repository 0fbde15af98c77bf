import * as z from 'zod/mini';

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
