import type { Algorithm } from '../src/algorithms/algorithm.ts';
import { coefficientFraction } from '../src/algorithms/coefficient.ts';
import type { defineAlgorithm } from '../src/algorithms/define-algorithm.ts';
import type { Random } from '../src/base/random.ts';
import {
  addRationals,
  divideRationals,
  multiplyRationals,
  type Rational,
  rational,
  subtractRationals,
} from '../src/base/rational.ts';

type Square = readonly (readonly [number, number])[];
type Exact = readonly (readonly Rational[])[];

/** Bases of the rows of A, of the inner dimension and of the columns of B. Their determinants are 3 and 1, so that inverses have thirds. */
const BASES = {
  thirds: {
    P: [
      [1, 0],
      [0, 3],
    ],
    Q: [
      [1, 0],
      [0, 1],
    ],
    R: [
      [1, 0],
      [0, 1],
    ],
  },
  'mixed-thirds': {
    P: [
      [1, 1],
      [-1, 2],
    ],
    Q: [
      [2, 1],
      [1, 2],
    ],
    R: [
      [1, 0],
      [1, 1],
    ],
  },
} as const satisfies Record<string, Record<'P' | 'Q' | 'R', Square>>;

const exact = (x: Square): Exact => x.map((row) => row.map((value) => rational(value)));

function inverse([[a, b], [c, d]]: Exact): Exact {
  const det = subtractRationals(multiplyRationals(a, d), multiplyRationals(b, c));
  const zero = rational(0);
  return [
    [divideRationals(d, det), divideRationals(subtractRationals(zero, b), det)],
    [divideRationals(subtractRationals(zero, c), det), divideRationals(a, det)],
  ];
}

/** Returns the factors of X for a row that is written for L·X·M. */
function inBasis(row: readonly number[], left: Exact, right: Exact): Rational[] {
  const [down, along] = [left.length, right.length];
  return Array.from({ length: down * along }, (_, at) => {
    const [i, j] = [Math.floor(at / along), at % along];
    return row.reduce((sum, value, to) => {
      const [p, q] = [Math.floor(to / along), to % along];
      return addRationals(
        sum,
        multiplyRationals(coefficientFraction(value), multiplyRationals(left[p][i], right[j][q])),
      );
    }, rational(0));
  });
}

const transposed = (x: Exact): Exact => x[0].map((_, j) => x.map((row) => row[j]));
const text = ({ num, den }: Rational): string => `${num}/${den}`;

/**
 * Writes a table of 2×2 blocks in another basis: the table multiplies A' = P·A·Q⁻¹ and B' = Q·B·R⁻¹, and C = P⁻¹·C'·R. Coefficients are
 * texts.
 */
export function inThirds(
  { base, u, v, w }: Algorithm,
  name: keyof typeof BASES,
): Parameters<typeof defineAlgorithm>[0] {
  const [p, q, r] = [exact(BASES[name].P), exact(BASES[name].Q), exact(BASES[name].R)];
  const rows = (of: Algorithm['u'], left: Exact, right: Exact) =>
    of.map((row) => inBasis(row, left, right).map(text));
  const what = 'a table of a test';
  return {
    ...{ name, title: name, what, source: what, base },
    u: rows(u, p, inverse(q)),
    v: rows(v, q, inverse(r)),
    // A product is added to C by its place in P⁻¹·C'·R, whose factors are those of the transposes.
    w: rows(w, transposed(inverse(p)), transposed(r)),
  };
}

/** Ways to multiply by p/q: by the nearest number in the format of sums, in one operation with the sum, or by p and then divided by q. */
export const ways = ['rounded', 'fused', 'divided', 'divided-first'] as const;
export type Way = (typeof ways)[number];

/** The roundings of a kernel. */
export interface Making {
  readonly way: Way;
  readonly round: (x: number) => number;
  readonly operand: (x: number) => number;
  /** Rounds a coefficient when it is stored. @defaultValue rounded to the format of sums */
  readonly kept?: ((coefficient: number) => number) | undefined;
  /** Rounds each term's sum in a product of entries. @defaultValue the format of sums */
  readonly leaf?: ((x: number) => number) | undefined;
  /** Draws the order of sums; if absent, they are added from the left. */
  readonly random?: Random | undefined;
}

/** Matrices as rows of numbers. */
export type Rows = readonly (readonly number[])[];

/** Adds terms c·x. */
function combined(terms: readonly (readonly [by: number, x: number])[], making: Making): number {
  const { way, round, kept = round, random } = making;
  const order = random === undefined ? terms : [...terms].sort(() => random.uniform(-1, 1));
  let sum: number | undefined;
  for (const [by, x] of order) {
    const { num, den } = coefficientFraction(by);
    const [p, q] = [Number(num), Number(den)];
    if (way === 'fused') sum = round(kept(by) * x + (sum ?? 0));
    else {
      const term =
        way === 'rounded'
          ? round(kept(by) * x)
          : way === 'divided'
            ? round(round(p * x) / q)
            : round(p * round(x / q));
      sum = sum === undefined ? term : round(sum + term);
    }
  }
  return sum ?? 0;
}

function classically(a: Rows, b: Rows, { round, operand, leaf = round }: Making): Rows {
  return a.map((row) =>
    b[0].map((_, j) => round(row.reduce((sum, x, q) => leaf(sum + leaf(operand(x) * operand(b[q][j]))), 0))),
  );
}

/** Computes A·B by levels of a table that divide the sizes. */
export function recursed(table: Algorithm, levels: number, a: Rows, b: Rows, making: Making): Rows {
  if (levels === 0) return classically(a, b, making);
  const { m, k, n } = table.base;
  const [rows, depth, cols] = [a.length / m, b.length / k, b[0].length / n];
  const block = (x: Rows, height: number, width: number, at: number, across: number): Rows => {
    const [top, left] = [Math.floor(at / across) * height, (at % across) * width];
    return x.slice(top, top + height).map((row) => row.slice(left, left + width));
  };
  const sums = (factors: readonly number[], blocks: readonly Rows[]): Rows => {
    const used = factors.flatMap((by, at) => (by === 0 ? [] : [[by, blocks[at]] as const]));
    return used[0][1].map((row, i) =>
      row.map((_, j) =>
        combined(
          used.map(([by, x]) => [by, x[i][j]] as const),
          making,
        ),
      ),
    );
  };
  const left = Array.from({ length: m * k }, (_, at) => block(a, rows, depth, at, k));
  const right = Array.from({ length: k * n }, (_, at) => block(b, depth, cols, at, n));
  const products = table.u.map((row, r) =>
    recursed(table, levels - 1, sums(row, left), sums(table.v[r], right), making),
  );
  const blocks = Array.from({ length: m * n }, (_, c) =>
    sums(
      table.w.map((row) => row[c]),
      products,
    ),
  );
  return Array.from({ length: rows * m }, (_, i) =>
    Array.from(
      { length: cols * n },
      (_, j) => blocks[Math.floor(i / rows) * n + Math.floor(j / cols)][i % rows][j % cols],
    ),
  );
}
