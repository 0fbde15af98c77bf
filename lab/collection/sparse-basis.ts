import type { Grid, Rows } from '../../src/algorithms/algorithm.ts';
import { isDyadic } from '../../src/algorithms/dyadic.ts';
import type { Table } from '../../src/algorithms/symmetries.ts';

/**
 * A table in other bases: `core` multiplies coordinates that `a` and `b` make of the blocks of A and B, and `c` makes blocks of C of what
 * it gives. Row i of a basis is coordinate i as a sum of blocks; of `c`, block i of C as a sum of coordinates.
 */
export interface SparseTable {
  /** Not a matrix product by itself. */
  readonly core: Table;
  readonly a: Rows;
  readonly b: Rows;
  readonly c: Rows;
}

/** Of so many sets of rows one is chosen; where there are more, none is. */
const MOST_SETS = 6000;

/**
 * An alternative basis of a table, in which its sums have the fewest terms (Karstadt and Schwartz 2017; Beniamini et al. 2020): as many of its
 * own rows as there are blocks become the coordinates, so that their sums are one term each. All sets of rows are tried.
 * @returns undefined where there are too many sets, or no basis has a dyadic inverse.
 */
export function inSparseBasis({ base, u, v, w }: Table): SparseTable | undefined {
  const [a, b, c] = [u, v, w].map(sparsest);
  if (a === undefined || b === undefined || c === undefined) return undefined;
  return { core: { base, u: a.rows, v: b.rows, w: c.rows }, a: a.basis, b: b.basis, c: transposed(c.basis) };
}

/** The table that a sparse one and its bases make together: to be checked as any other. */
export function composedTable({ core: { base, u, v, w }, a, b, c }: SparseTable): Table {
  return { base, u: times(u, a), v: times(v, b), w: times(w, transposed(c)) };
}

/** Additions of blocks that basis changes take at a level, and those of the recursion. */
export function basisAdditions({ core, a, b, c }: SparseTable): { core: number; bases: number } {
  const additions = (rows: Rows) => rows.reduce((sum, row) => sum + Math.max(0, terms(row) - 1), 0);
  return {
    core: additions(core.u) + additions(core.v) + additions(transposed(core.w)),
    bases: additions(a) + additions(b) + additions(c),
  };
}

const terms = (row: readonly number[]): number => row.filter((x) => x !== 0).length;
const nonzeros = (rows: Rows): number => rows.reduce((sum, row) => sum + terms(row), 0);

function sparsest(rows: Rows): { rows: number[][]; basis: number[][] } | undefined {
  const size = rows[0].length;
  let best: { rows: number[][]; basis: number[][] } | undefined;
  if (binomial(rows.length, size) > MOST_SETS) return undefined;
  for (const set of setsOf(rows.length, size)) {
    const basis = set.map((r) => [...rows[r]]);
    const inverse = inverseOf(basis);
    if (inverse === undefined || !inverse.flat().every(isDyadic)) continue;
    const found = { rows: times(rows, inverse), basis };
    if (best === undefined || weight(found) < weight(best)) best = found;
  }
  return best;
}

/** Terms of the recursion count first: they are met at every level by ever more blocks. */
const weight = ({ rows, basis }: { rows: Rows; basis: Rows }): number =>
  1000 * nonzeros(rows) + nonzeros(basis);

function binomial(count: number, size: number): number {
  let sets = 1;
  for (let i = 1; i <= size; i++) sets = (sets * (count - size + i)) / i;
  return sets;
}

function* setsOf(count: number, size: number, from = 0): Generator<number[]> {
  if (size === 0) yield [];
  else
    for (let first = from; first <= count - size; first++)
      for (const rest of setsOf(count, size - 1, first + 1)) yield [first, ...rest];
}

const transposed = (rows: Rows): number[][] => rows[0].map((_, j) => rows.map((row) => row[j]));

/** Of small dyadic numbers: exact. */
const times = (x: Rows, y: Rows): number[][] =>
  x.map((row) => y[0].map((_, j) => row.reduce((sum, value, i) => sum + value * y[i][j], 0)));

/** By elimination in double, exact where inverse and steps are dyadic; undefined where there is none. */
function inverseOf(square: Rows): number[][] | undefined {
  const n = square.length;
  const lines = square.map((row, i) => [...row, ...square.map((_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < n; column++) {
    const pivot = lines.findIndex((line, i) => i >= column && line[column] !== 0);
    if (pivot < 0) return undefined;
    [lines[column], lines[pivot]] = [lines[pivot], lines[column]];
    lines[column] = lines[column].map((x) => x / lines[column][column]);
    for (let i = 0; i < n; i++)
      if (i !== column) {
        const factor = lines[i][column];
        lines[i] = lines[i].map((x, j) => x - factor * lines[column][j]);
      }
  }
  return lines.map((line) => line.slice(n));
}

/** The blocks of a table's three matrices: rows and columns of each grid. */
export const gridsOf = ({ m, k, n }: Grid) =>
  ({ a: { rows: m, cols: k }, b: { rows: k, cols: n }, c: { rows: m, cols: n } }) as const;
