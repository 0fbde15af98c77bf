import type { Algorithm, BlockGrid, CoefficientRows } from './algorithm.ts';
import { multiplyCoefficients } from './coefficient.ts';

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

/** A single product: ⟨1,1,1;1⟩. */
const ONE_PRODUCT = { base: { m: 1, k: 1, n: 1 }, u: [[1]], v: [[1]], w: [[1]] } as const;

/**
 * Composes two levels to one: `inner` computes the block products of `outer`. The triple of the composition is the
 * Kronecker product of the triples, blocks renumbered so that each matrix is a grid of its own:
 *
 *     ⟨m₁m₂, k₁k₂, n₁n₂; R₁R₂⟩,   product R₂·r₁ + r₂ multiplies what product r₂ of `inner` multiplies of the factors of r₁
 *
 * (Huang, Rice, Matthews, van de Geijn 2017, section 3.3). The composition of Strassen's algorithm with itself has the 49
 * products of Huang, Yu, van de Geijn 2020, Figure 5, in its order.
 */
export function compose(outer: Algorithm, inner: Algorithm): Algorithm {
  const [p, q] = [outer.base, inner.base];
  return {
    name: outer.name,
    title: outer.title,
    what: outer.what,
    source: outer.source,
    base: { m: p.m * q.m, k: p.k * q.k, n: p.n * q.n },
    u: kronecker(outer.u, inner.u, p.k, q),
    v: kronecker(outer.v, inner.v, p.n, { m: q.k, k: q.n }),
    w: kronecker(outer.w, inner.w, p.n, { m: q.m, k: q.n }),
  };
}

/**
 * Composes several levels of an algorithm to one. Zero levels are a single product. There is no schedule, so sums are those of the table.
 */
export function composePower(algorithm: Algorithm, levels: number): Algorithm {
  const { name, title, what, source } = algorithm;
  let all: Algorithm = { name, title, what, source, ...ONE_PRODUCT };
  for (let level = 0; level < levels; level++) all = compose(all, algorithm);
  return all;
}

/**
 * Returns rows of coefficients for every pair of products.
 * @param cols columns of the outer grid.
 * @param grid rows and columns of the inner one.
 */
function kronecker(
  outer: readonly (readonly number[])[],
  inner: readonly (readonly number[])[],
  cols: number,
  grid: { readonly m: number; readonly k: number },
): number[][] {
  return outer.flatMap((one) =>
    inner.map((other) => {
      const row = new Array<number>(one.length * other.length).fill(0);
      for (const [a, p] of one.entries()) {
        for (const [b, q] of other.entries()) {
          const i = Math.floor(a / cols) * grid.m + Math.floor(b / grid.k);
          const j = (a % cols) * grid.k + (b % grid.k);
          // 0 instead of −0, which no table has.
          row[i * cols * grid.k + j] = multiplyCoefficients(p, q) || 0;
        }
      }
      return row;
    }),
  );
}
