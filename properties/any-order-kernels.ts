import type { Algorithm } from '../src/algorithms/algorithm.ts';
import { findAlgorithm } from '../src/algorithms/algorithms.ts';
import { composePower } from '../src/algorithms/bilinear-table.ts';
import type { Random } from '../src/base/random.ts';
import type { Claims } from '../src/kernels/claims.ts';

/** Matrices as rows of numbers. */
export type Rows = readonly (readonly number[])[];

/** Choices of a kernel that its claims leave open. */
export interface Doing {
  readonly random: Random;
  readonly round: (x: number) => number;
  readonly operand: (x: number) => number;
}

export const shuffled = <T>(all: readonly T[], random: Random): T[] => {
  const list = [...all];
  for (let at = list.length - 1; at > 0; at--) {
    const other = random.int(0, at);
    [list[at], list[other]] = [list[other], list[at]];
  }
  return list;
};

/** Adds terms one after the other, in a drawn order. */
const added = (terms: readonly number[], { random, round }: Doing) =>
  shuffled(terms, random).reduce((sum, x, at) => (at === 0 ? x : round(sum + x)));

function classically(a: Rows, b: Rows, doing: Doing): Rows {
  const { round, operand } = doing;
  return a.map((row) =>
    b[0].map((_, j) =>
      added(
        row.map((x, q) => round(operand(x) * operand(b[q][j]))),
        doing,
      ),
    ),
  );
}

const block = (x: Rows, rows: number, cols: number, at: number, across: number): Rows => {
  const [top, left] = [Math.floor(at / across) * rows, (at % across) * cols];
  return x.slice(top, top + rows).map((row) => row.slice(left, left + cols));
};

/** Computes one level of a table whose base divides the sizes; `inner` computes its products. */
function level(table: Algorithm, a: Rows, b: Rows, doing: Doing, inner: (a: Rows, b: Rows) => Rows): Rows {
  const { m, k, n } = table.base;
  const [rows, depth, cols] = [a.length / m, b.length / k, b[0].length / n];
  const sums = (coefficients: readonly number[], of: (at: number) => Rows): Rows => {
    const terms = coefficients.flatMap((by, at) => (by === 0 ? [] : [{ by, x: of(at) }]));
    return terms[0].x.map((row, i) =>
      row.map((_, j) =>
        added(
          terms.map(({ by, x }) => by * x[i][j]),
          doing,
        ),
      ),
    );
  };
  const products = table.u.map((_, r) =>
    inner(
      sums(table.u[r], (at) => block(a, rows, depth, at, k)),
      sums(table.v[r], (at) => block(b, depth, cols, at, n)),
    ),
  );
  const blocks = Array.from({ length: m * n }, (_, c) =>
    sums(
      table.w.map((row) => row[c]),
      (r) => products[r],
    ),
  );
  return Array.from({ length: rows * m }, (_, i) =>
    Array.from(
      { length: cols * n },
      (_, j) => blocks[Math.floor(i / rows) * n + Math.floor(j / cols)][i % rows][j % cols],
    ),
  );
}

/** Computes A·B by levels of a table, each by itself or all written out as one. Every sum has a drawn order. */
export function product(
  a: Rows,
  b: Rows,
  { algorithm = 'classical', levels: claimed }: Claims,
  doing: Doing,
): Rows {
  const levels = (claimed as number | undefined) ?? 0;
  if (levels === 0) return classically(a, b, doing);
  const table = findAlgorithm(algorithm);
  if (levels > 1 && doing.random.int(0, 1) === 0)
    return level(composePower(table, levels), a, b, doing, (x, y) => classically(x, y, doing));
  const down = (left: number, x: Rows, y: Rows): Rows =>
    left === 0 ? classically(x, y, doing) : level(table, x, y, doing, (p, q) => down(left - 1, p, q));
  return down(levels, a, b);
}
