import type { BlockGrid, CoefficientRows } from '../../src/algorithms/algorithm.ts';
import type { BilinearTable } from '../../src/algorithms/bilinear-table.ts';
import { isDyadic } from '../../src/algorithms/coefficient.ts';

/**
 * A table in other bases: `a` and `b` make coordinates from the blocks of A and B, `core` multiplies these, and `c` makes blocks
 * of C from the results. Row i of `a` and `b` is coordinate i as a sum of blocks; row i of `c` is block i of C as a sum of
 * coordinates.
 */
export interface SparseTable {
  /** Not a matrix product on its own. */
  readonly core: BilinearTable;
  readonly a: CoefficientRows;
  readonly b: CoefficientRows;
  readonly c: CoefficientRows;
}

/** The most sets of rows to choose from; with more, no basis is chosen. */
const MOST_SETS = 6000;

/**
 * Finds the alternative basis of a table in which its sums have the fewest terms (Karstadt and Schwartz 2017; Beniamini et al.
 * 2020). As many of its own rows as there are blocks become the coordinates, so that their sums have one term each. All sets of
 * rows are tried.
 * @returns undefined if there are too many sets, or no basis has a dyadic inverse
 */
export function inSparseBasis({ base, u, v, w }: BilinearTable): SparseTable | undefined {
  const [a, b, c] = [u, v, w].map(sparsest);
  if (a === undefined || b === undefined || c === undefined) return undefined;
  return { core: { base, u: a.rows, v: b.rows, w: c.rows }, a: a.basis, b: b.basis, c: transposed(c.basis) };
}

/** Combines a sparse table and its bases into a table, which can be checked like any other. */
export function composedTable({ core: { base, u, v, w }, a, b, c }: SparseTable): BilinearTable {
  return { base, u: times(u, a), v: times(v, b), w: times(w, transposed(c)) };
}

/** Counts additions of blocks per level: of the recursion, and of the changes of basis. */
export function basisAdditions({ core, a, b, c }: SparseTable): { core: number; bases: number } {
  const additions = (rows: CoefficientRows) =>
    rows.reduce((sum, row) => sum + Math.max(0, terms(row) - 1), 0);
  return {
    core: additions(core.u) + additions(core.v) + additions(transposed(core.w)),
    bases: additions(a) + additions(b) + additions(c),
  };
}

const terms = (row: readonly number[]): number => row.filter((x) => x !== 0).length;
const nonzeros = (rows: CoefficientRows): number => rows.reduce((sum, row) => sum + terms(row), 0);

function sparsest(rows: CoefficientRows): { rows: number[][]; basis: number[][] } | undefined {
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

/** Terms of the recursion weigh more: every level has them, in ever more blocks. */
const weight = ({ rows, basis }: { rows: CoefficientRows; basis: CoefficientRows }): number =>
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

const transposed = (rows: CoefficientRows): number[][] => rows[0].map((_, j) => rows.map((row) => row[j]));

/** The product of matrices of small dyadic numbers, which is exact. */
const times = (x: CoefficientRows, y: CoefficientRows): number[][] =>
  x.map((row) => y[0].map((_, j) => row.reduce((sum, value, i) => sum + value * y[i][j], 0)));

/** The inverse by elimination in double, exact where the inverse and all steps are dyadic; undefined if there is none. */
function inverseOf(square: CoefficientRows): number[][] | undefined {
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

/** The numbers of rows and columns of blocks of a table's three matrices. */
export const gridsOf = ({ m, k, n }: BlockGrid) =>
  ({ a: { rows: m, cols: k }, b: { rows: k, cols: n }, c: { rows: m, cols: n } }) as const;
