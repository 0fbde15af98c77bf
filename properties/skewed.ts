import type { Algorithm } from '../src/algorithms/algorithm.ts';
import { defineAlgorithm } from '../src/algorithms/define-algorithm.ts';

type Square = readonly (readonly number[])[];

/** The bases of A's rows, of the inner dimension, and of B's columns. Their determinants are 1, so that the inverses are whole too. */
const P: Square = [
  [1, 2, 0],
  [0, 1, 0],
  [0, 3, 1],
];
const Q: Square = [
  [1, 0],
  [2, 1],
];
const R: Square = [
  [1, 0, 0, 0],
  [-1, 1, 0, 0],
  [0, 0, 1, 2],
  [0, 0, 0, 1],
];

/** Inverts an integer matrix of determinant 1, by the series of its nilpotent part. */
function inverse(x: Square): Square {
  const size = x.length;
  const one = x.map((row, i) => row.map((_, j) => Number(i === j)));
  const part = x.map((row, i) => row.map((value, j) => Number(i === j) - value));
  let [sum, power] = [one, one];
  for (let term = 1; term < size; term++) {
    power = product(power, part);
    const next = power;
    sum = sum.map((row, i) => row.map((value, j) => value + next[i][j]));
  }
  return sum;
}

const product = (x: Square, y: Square): number[][] =>
  x.map((row) => y[0].map((_, j) => row.reduce((sum, value, p) => sum + value * y[p][j], 0)));

/**
 * Makes an unregistered algorithm, ⟨3,2,4;24⟩ by definition in a skewed basis: A' = P·A·Q⁻¹ and B' = Q·B·R⁻¹ are multiplied by definition,
 * and C = P⁻¹·C'·R.
 */
export function skewed(): Algorithm {
  const [m, k, n] = [P.length, Q.length, R.length];
  const [u, v, w]: number[][][] = [[], [], []];
  const [qi, ri, pi] = [inverse(Q), inverse(R), inverse(P)];
  const outer = (left: readonly number[], right: readonly number[]) =>
    left.flatMap((x) => right.map((y) => x * y + 0));
  const column = (x: Square, at: number) => x.map((row) => row[at]);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      for (let j = 0; j < n; j++) {
        u.push(outer(P[i], column(qi, p)));
        v.push(outer(Q[p], column(ri, j)));
        w.push(outer(column(pi, i), R[j]));
      }
    }
  }
  const what = 'a table of a test';
  return defineAlgorithm({ name: 'skewed', title: 'Skewed', what, source: what, base: { m, k, n }, u, v, w });
}
