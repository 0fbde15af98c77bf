import type { Algorithm, BlockGrid, CoefficientRows } from './algorithm.ts';

/** A table without a schedule. */
export type BilinearTable = Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>;

/** Moves each coefficient to the place of the transposed block. */
const across = (rows: CoefficientRows, height: number, width: number): number[][] =>
  rows.map((row) => row.map((_, at) => row[(at % height) * width + Math.floor(at / height)]));

/** Returns the table of Cᵀ = BᵀAᵀ by the same products: ⟨n,k,m⟩. */
export function transposeTable({ base: { m, k, n }, u, v, w }: BilinearTable): BilinearTable {
  const base: BlockGrid = { m: n, k, n: m };
  return { base, u: across(v, k, n), v: across(u, m, k), w: across(w, m, n) };
}

/** Returns the next of the three algorithms of a trilinear form Σ a_ij·b_jl·c_li: ⟨k,n,m⟩ (Hopcroft and Musinski 1973; de Groote 1978). */
export function rotateTable({ base: { m, k, n }, u, v, w }: BilinearTable): BilinearTable {
  const base: BlockGrid = { m: k, k: n, n: m };
  return { base, u: v, v: across(w, m, n), w: across(u, m, k) };
}

/** Returns the algorithms of the same form and base, the table itself first: six where the base is a cube. */
export function orientations(table: BilinearTable): BilinearTable[] {
  const turns = [table, rotateTable(table), rotateTable(rotateTable(table))];
  const { m, k, n } = table.base;
  return [...turns, ...turns.map(transposeTable)].filter(
    ({ base }) => base.m === m && base.k === k && base.n === n,
  );
}

/** The directions in which a table may count blocks from the last. */
export const directions = ['rows', 'inner', 'columns'] as const;
export type Direction = (typeof directions)[number];

/** Returns the same products with blocks of A's rows, of the inner dimension or of B's columns counted from the last. */
export function reverseBlocks({ base, u, v, w }: BilinearTable, which: readonly Direction[]): BilinearTable {
  const { m, k, n } = base;
  const last = (at: number, count: number, direction: Direction) =>
    which.includes(direction) ? count - 1 - at : at;
  const moved = (
    rows: CoefficientRows,
    [down, height]: [Direction, number],
    [along, width]: [Direction, number],
  ) =>
    rows.map((row) =>
      row.map(
        (_, at) => row[last(Math.floor(at / width), height, down) * width + last(at % width, width, along)],
      ),
    );
  return {
    base,
    u: moved(u, ['rows', m], ['inner', k]),
    v: moved(v, ['inner', k], ['columns', n]),
    w: moved(w, ['rows', m], ['columns', n]),
  };
}
