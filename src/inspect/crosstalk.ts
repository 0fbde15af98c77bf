import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithms as builtin } from '../algorithms/algorithms.ts';
import type { Matrix } from '../matrix/dense.ts';

/** Position of the huge entry (row, col) in A or B, n×n. */
export interface Spot {
  readonly operand: 'A' | 'B';
  readonly row: number;
  readonly col: number;
}

/**
 * Returns the entries of C that take part in a product with a huge entry but do not depend on it. There the huge entry cancels except for
 * rounding errors. In a bilinear algorithm (U, V, W), an entry of block x of A is in the products r with u[r][x] ≠ 0. These products are in
 * the blocks c of C with w[r][c] ≠ 0. Blocks of several levels multiply as the tables do, so that a block is reached if it is reached at
 * every level. Within a block only the row of the huge entry is reached (the column, for an entry of B).
 * @returns n×n flags, row-major; undefined where n cannot be divided so often. The spot's own row or column is never set.
 */
export function expectedCrosstalk(
  { base, u, v, w }: Algorithm,
  levels: number,
  n: number,
  { operand, row, col }: Spot,
): Uint8Array | undefined {
  const [across, down] = [base.n ** levels, base.m ** levels];
  const inner = base.k ** levels;
  if (n % across !== 0 || n % down !== 0 || n % inner !== 0) return undefined;
  const reached = Array.from({ length: base.m * base.n }, (_, c) => {
    const factor = operand === 'A' ? u : v;
    return Array.from({ length: factor[0].length }, (_, x) =>
      factor.some((coefficients, r) => coefficients[x] !== 0 && w[r][c] !== 0),
    );
  });
  const [rowParts, colParts] = operand === 'A' ? [base.m, base.k] : [base.k, base.n];
  const digits = (at: number, parts: number) => digitsOf(at, n, parts, levels);
  const [spotRow, spotCol] = [digits(row, rowParts), digits(col, colParts)];
  const flags = new Uint8Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const aside =
        operand === 'A'
          ? i !== row && i % (n / down) === row % (n / down)
          : j !== col && j % (n / across) === col % (n / across);
      if (!aside) continue;
      const [at, of] = [digits(i, base.m), digits(j, base.n)];
      const all = at.every(
        (p, level) => reached[p * base.n + of[level]][spotRow[level] * colParts + spotCol[level]],
      );
      if (all) flags[i * n + j] = 1;
    }
  }
  return flags;
}

/** Returns the block that contains an index at each level, the outermost first. */
function digitsOf(index: number, n: number, parts: number, levels: number): number[] {
  const digits: number[] = [];
  let size = n;
  for (let level = 0; level < levels; level++) {
    size /= parts;
    digits.push(Math.floor(index / size) % parts);
  }
  return digits;
}

/** The effect of one huge entry on the other rows (columns) of C. */
export interface Crosstalk {
  readonly spot: Spot;
  readonly n: number;
  /** Flags of entries of C that changed although none of their terms did. */
  readonly changed: Uint8Array;
  /** The largest change. */
  readonly largest: number;
}

/**
 * Compares C with and without the huge entry.
 * @param least the smallest change that counts; 0 where products repeat to the last bit.
 */
export function crosstalkOf(spot: Spot, without: Matrix, having: Matrix, least: number): Crosstalk {
  const n = without.cols;
  const changed = new Uint8Array(n * n);
  let largest = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      if (spot.operand === 'A' ? i === spot.row : j === spot.col) continue;
      const at = i * n + j;
      const change = Math.abs(having.data[at] - without.data[at]);
      if (change <= least) continue;
      changed[at] = 1;
      largest = Number.isNaN(change) ? Number.POSITIVE_INFINITY : Math.max(largest, change);
    }
  }
  return { spot, n, changed, largest };
}

/** An algorithm of the tables, with its number of levels. */
export interface Candidate {
  readonly algorithm: string;
  readonly levels: number;
}

const DEEPEST = 6;

/** Returns the algorithms and levels whose expected crosstalk equals the observed one at every spot, classical ones excluded. */
export function candidatesFor(
  seen: readonly Crosstalk[],
  known: readonly Algorithm[] = builtin,
): Candidate[] {
  return known.flatMap((algorithm) =>
    Array.from({ length: DEEPEST }, (_, level) => level + 1).flatMap((levels) =>
      seen.every((one) => explains(algorithm, levels, one)) && seen.some(({ changed }) => changed.includes(1))
        ? [{ algorithm: algorithm.name, levels }]
        : [],
    ),
  );
}

/**
 * True if a block's row (column) changes exactly where expected. A single entry may keep its bits by chance. So each stretch that one block
 * gives must show a change somewhere.
 */
function explains(algorithm: Algorithm, levels: number, { spot, n, changed }: Crosstalk): boolean {
  const expected = expectedCrosstalk(algorithm, levels, n, spot);
  if (expected === undefined) return false;
  const stretch = n / (spot.operand === 'A' ? algorithm.base.n : algorithm.base.m) ** levels;
  if (stretch < 2) return false;
  const at = (line: number, along: number) => (spot.operand === 'A' ? line * n + along : along * n + line);
  for (let line = 0; line < n; line++) {
    for (let from = 0; from < n; from += stretch) {
      let any = 0;
      let all = 0;
      for (let along = from; along < from + stretch; along++) {
        any |= changed[at(line, along)];
        all += expected[at(line, along)];
      }
      if (any !== (all > 0 ? 1 : 0)) return false;
    }
  }
  return true;
}
