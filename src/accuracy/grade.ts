import type { Arithmetic } from '../formats/arithmetic.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import { operandErrorOf, underflowOf, unitRoundoffOf } from '../readers/device-errors.ts';
import type { ExactProduct } from '../reference/exact.ts';
import { absoluteProduct } from './absolute-product.ts';

/** The grades of a product, the best first. */
export const grades = ['A', 'B', 'C'] as const;
export type Grade = (typeof grades)[number];

/** The grade that was reached; `none` where not even C was. */
export type Reached = Grade | 'none';

/** The entry that comes nearest to what a grade allows, or exceeds it most. */
export interface GradedEntry {
  readonly i: number;
  readonly j: number;
  readonly found: number;
  readonly expected: number;
  readonly error: number;
  readonly allowed: number;
  /** error / allowed; infinite for what is not finite. */
  readonly ratio: number;
}

/** What one product reaches. */
export interface GradedProduct {
  readonly grade: Reached;
  /** The worst entry by the measure of each grade: a grade is reached where its ratio is at most 1. */
  readonly worst: Readonly<Record<Grade, GradedEntry>>;
}

/** A product to be graded: C as computed, of A and B, with the exact product of these. */
export interface Gradable {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c: Matrix;
  readonly exact: Pick<ExactProduct, 'product' | 'low'>;
  readonly arithmetic: Arithmetic;
}

/**
 * The relative error of a classical product of k terms against |A||B|, at most: γ_k = ku/(1 − ku) in any order of the sum
 * and fused or not (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., §3.5), and what rounding operands
 * before they are multiplied adds to it.
 */
export function classicalError(arithmetic: Arithmetic, k: number): number {
  const ku = k * unitRoundoffOf(arithmetic);
  const gamma = ku < 1 ? ku / (1 - ku) : Number.POSITIVE_INFINITY;
  const operand = operandErrorOf(arithmetic)?.relative ?? 0;
  return gamma + (1 + gamma) * operand * (2 + operand);
}

/**
 * Grades a product by the tests of Demmel, Li, Langou, Pereira, Gates and Rubio-González (*How to grade the accuracy of an
 * implementation of the BLAS*, 2024), which ask how |Ĉ − C| is bounded by f(k)·u:
 *
 * - **A**: entry by entry, times (|A||B|)ᵢⱼ, with f linear. Here f(k)·u is {@link classicalError}, so that every classical
 *   product reaches it, whatever its order.
 * - **B**: by the norms of row i of A and column j of B. Here max|aᵢ|·max|bⱼ|, and f has another factor k, because
 *   (|A||B|)ᵢⱼ ≤ k·max|aᵢ|·max|bⱼ|: A implies B.
 * - **C**: by the norms of A and B, as fast algorithms are. Here max|A|·max|B| with the f of B: B implies C.
 *
 * Losses to underflow are allowed in addition. An entry of Ĉ that is not finite reaches no grade.
 * @throws Problem `shapes-differ`
 */
export function gradeProduct({ a, b, c, exact, arithmetic }: Gradable): GradedProduct {
  const { m, k, n } = productShape(a, b);
  const relative = classicalError(arithmetic, k);
  const { product, sum } = underflowOf(arithmetic);
  const absolute = k * (product + sum);
  const absProduct = absoluteProduct(a, b);
  const [rows, columns] = [rowMaxima(a), columnMaxima(b)];
  const whole = largest(rows) * largest(columns);
  const allowed: Record<Grade, (i: number, j: number) => number> = {
    A: (i, j) => relative * absProduct[i * n + j] + absolute,
    B: (i, j) => relative * k * rows[i] * columns[j] + absolute,
    C: () => relative * k * whole + absolute,
  };
  const worstOf = (grade: Grade): GradedEntry => {
    let worst: GradedEntry | undefined;
    for (let e = 0; e < m * n; e++) {
      const [i, j] = [Math.floor(e / n), e % n];
      const expected = exact.product.data[e];
      const error = Math.abs(c.data[e] - expected - exact.low[e]);
      const limit = allowed[grade](i, j);
      const ratio = Number.isFinite(error) ? (error === 0 ? 0 : error / limit) : Number.POSITIVE_INFINITY;
      if (worst !== undefined && ratio <= worst.ratio) continue;
      worst = { i, j, found: c.data[e], expected, error, allowed: limit, ratio };
    }
    return worst ?? { i: 0, j: 0, found: 0, expected: 0, error: 0, allowed: 0, ratio: 0 };
  };
  const worst = { A: worstOf('A'), B: worstOf('B'), C: worstOf('C') };
  return { grade: grades.find((grade) => worst[grade].ratio <= 1) ?? 'none', worst };
}

/** The worse of two grades. */
export function worseGrade(x: Reached, y: Reached): Reached {
  const order: readonly Reached[] = [...grades, 'none'];
  return order[Math.max(order.indexOf(x), order.indexOf(y))];
}

/** Whether a grade is as good as the one wanted. */
export const reaches = (grade: Reached, wanted: Grade): boolean => worseGrade(grade, wanted) === wanted;

function rowMaxima({ rows, cols, data }: Matrix): Float64Array {
  const maxima = new Float64Array(rows);
  for (let e = 0; e < data.length; e++) {
    const row = Math.floor(e / cols);
    maxima[row] = Math.max(maxima[row], Math.abs(data[e]));
  }
  return maxima;
}

function columnMaxima({ rows, cols, data }: Matrix): Float64Array {
  const maxima = new Float64Array(cols);
  for (let e = 0; e < rows * cols; e++) maxima[e % cols] = Math.max(maxima[e % cols], Math.abs(data[e]));
  return maxima;
}

const largest = (values: Float64Array) => values.reduce((most, x) => Math.max(most, x), 0);
