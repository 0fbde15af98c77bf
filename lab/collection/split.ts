import type { BlockGrid, CoefficientRows } from '../../src/algorithms/algorithm.ts';
import type { BilinearTable } from '../../src/algorithms/bilinear-table.ts';

/** A dimension of a product, as a key of grids. */
export type Dimension = keyof BlockGrid;

/**
 * Splits a product in two along a dimension, each part with a table of its own: the rows of A, the columns of B, or the inner
 * dimension, whose parts are added. The products of both tables are joined.
 */
export function split(first: BilinearTable, second: BilinearTable, along: Dimension): BilinearTable {
  const base = { ...first.base, [along]: first.base[along] + second.base[along] };
  const offset = { m: 0, k: 0, n: 0, [along]: first.base[along] };
  const none = { m: 0, k: 0, n: 0 };
  const both = (part: 'u' | 'v' | 'w', row: Dimension, column: Dimension) => [
    ...moved(first[part], { width: first.base[column], to: base, row, column, by: none }),
    ...moved(second[part], { width: second.base[column], to: base, row, column, by: offset }),
  ];
  return { base, u: both('u', 'm', 'k'), v: both('v', 'k', 'n'), w: both('w', 'm', 'n') };
}

/** Moves rows of coefficients into a larger grid of blocks. */
function moved(
  rows: CoefficientRows,
  {
    width,
    to,
    row,
    column,
    by,
  }: { width: number; to: BlockGrid; row: Dimension; column: Dimension; by: BlockGrid },
): number[][] {
  return rows.map((coefficients) => {
    const full = new Array<number>(to[row] * to[column]).fill(0);
    for (const [at, value] of coefficients.entries())
      full[(Math.floor(at / width) + by[row]) * to[column] + (at % width) + by[column]] = value;
    return full;
  });
}
