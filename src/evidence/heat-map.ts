import * as z from 'zod/mini';

/** The most cells along a side: enough to see the blocks of three levels. */
export const MOST_CELLS = 32;

/**
 * Number of size classes between the smallest and the largest value. Their digits are 1 to {@link CLASSES}, for negative values {@link
 * NEGATIVE} more.
 */
export const CLASSES = 13;

/** The offset of the class of a negative entry. */
export const NEGATIVE = 16;

/** The base of the digits that encode cells. */
export const BASE = 36;

/** The digits of cells without a class. */
export const CELL = { zero: '0', unknown: 'e', notFinite: 'f' } as const;

/** A matrix as a picture: the entry of each cell that is largest in size, on a logarithmic scale. */
export const heatMap = z.object({
  /** Rows and columns of the matrix. */
  of: z.tuple([z.int().check(z.gte(1)), z.int().check(z.gte(1))]),
  rows: z.int().check(z.gte(1), z.lte(MOST_CELLS)),
  cols: z.int().check(z.gte(1), z.lte(MOST_CELLS)),
  /** The smallest and the largest size of a cell that is finite and not 0; absent where there is none. */
  between: z.optional(z.tuple([z.number().check(z.positive()), z.number().check(z.positive())])),
  /**
   * Row-major, one digit a cell: 0 where all entries are 0, 1 to d in thirteen classes of equal ratio, h to t in the same classes where
   * the largest entry is negative, e where no entry is known, f where an entry is not finite.
   */
  cells: z.string().check(z.regex(/^[0-9a-fh-t]+$/)),
});
export type HeatMap = z.infer<typeof heatMap>;

/** Pictures of a product: the operands, the result, and its errors; a matrix without entries has none. */
export const productMaps = z.object({
  a: z.optional(heatMap),
  b: z.optional(heatMap),
  c: z.optional(heatMap),
  /** found − exact, for the worse of two products where the case was multiplied again. */
  error: z.optional(heatMap),
});
export type ProductMaps = z.infer<typeof productMaps>;
