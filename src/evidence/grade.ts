import { largestOf } from '../exact/sizes.ts';
import type { Product } from '../gpu/runner/product.ts';
import type { Matrix } from '../matrix/dense.ts';
import { operandErrorOf, resultErrorOf, underflowOf, unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { fewestBits } from '../precision/sums.ts';
import { leafErrors } from '../readers/leaf-sums.ts';
import type { Evidence } from './evidence.ts';

/** The grades of a product, the best first. */
export const grades = ['A', 'B', 'C'] as const;
export type Grade = (typeof grades)[number];

/** The grade reached; `none` if not even C was. */
export type ReachedGrade = Grade | 'none';

/** The entry that is nearest to the error a grade allows, or exceeds it most. */
export interface GradedEntry {
  readonly i: number;
  readonly j: number;
  readonly found: number;
  readonly expected: number;
  readonly error: number;
  readonly allowed: number;
  /** error / allowed; infinite if the error is not finite. */
  readonly ratio: number;
}

export interface GradedProduct {
  readonly grade: ReachedGrade;
  /** The worst entry by the measure of each grade: a grade is reached where its ratio is at most 1. */
  readonly worst: Readonly<Record<Grade, GradedEntry>>;
}

/** The evidence that a grade needs; all entries are compared. */
export interface GradingEvidence {
  readonly operands: Pick<Evidence['operands'], 'a' | 'b'>;
  readonly outcomes: readonly [Pick<Product, 'c'>, ...unknown[]];
  readonly reference: Pick<Evidence['reference'], 'value' | 'low' | 'size'>;
}

/**
 * The error that each grade allows: A in units of (|A||B|)ᵢⱼ, B of max|aᵢ|·max|bⱼ| for row i and column j, C of max|A|·max|B|. `underflow`
 * is allowed in addition.
 */
export interface GradeAllowance extends Readonly<Record<Grade, number>> {
  readonly underflow: number;
}

/**
 * Returns the largest relative error of a classical product of k terms against |A||B|: γ_k = ku/(1 − ku) in any order of the sum and fused
 * or not (Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., §3.5). The error of rounding operands and results is added.
 */
export function classicalError(computation: Computation, k: number): number {
  const ku = k * unitRoundoffOf(computation);
  // Running sums, and sums of parts, may have fewer bits than their format; then the loss is that of the narrowest.
  const { running = [], partial } = computation.sums ?? {};
  const isNarrow = partial !== undefined || fewestBits(running) < computation.precision.accumulated.precision;
  const classical = ku < 1 ? ku / (1 - ku) : Number.POSITIVE_INFINITY;
  const gamma = isNarrow ? leafErrors(computation, k).loss : classical;
  const operand = operandErrorOf(computation)?.relative ?? 0;
  const sums = gamma + (1 + gamma) * operand * (2 + operand);
  // Results that are narrower than sums are rounded once more.
  return sums + (resultErrorOf(computation)?.relative ?? 0) * (1 + sums);
}

/**
 * Returns the errors that grades allow for sums of k terms, by the tests of Demmel, Li, Langou, Pereira, Gates and Rubio-González (*How to
 * grade the accuracy of an implementation of the BLAS*, BLIS Retreat 2024), which ask how |Ĉ − C| is bounded by f(k)·u:
 *
 * - **A**: entry by entry, times (|A||B|)ᵢⱼ, with f linear. Here f(k)·u is {@link classicalError}, so that every classical
 *   product reaches it, whatever its order.
 * - **B**: by the norms of row i of A and column j of B. Here max|aᵢ|·max|bⱼ|, and f has another factor k, because
 *   (|A||B|)ᵢⱼ ≤ k·max|aᵢ|·max|bⱼ|: A implies B.
 * - **C**: by the norms of A and B, as fast algorithms are. Here max|A|·max|B| with the f of B, so that B implies C. A factor
 *   for levels of recursion is that of Winograd's form, 18 for every 4 (Higham, theorem 23.3: (n/n₀)^log₂18·(n₀² + 6n₀)u;
 *   Strassen's 12 are fewer), but no more than a result of zeros might reach.
 *
 * Losses to underflow are allowed in addition.
 */
export function allowanceOf(computation: Computation, k: number, levels = 0): GradeAllowance {
  const A = classicalError(computation, k);
  const { product, sum } = underflowOf(computation);
  const recursion = levels === 0 ? 1 : 4.5 ** levels * (1 + (6 * 2 ** levels) / k);
  const C = Math.max(A * k, Math.min(LOOSEST, A * k * recursion));
  return { A, B: A * k, C, underflow: k * (product + sum) };
}

/** True if sums of k terms can be graded: B allows less than a result of zeros might reach. */
export const canGrade = (computation: Computation, k: number): boolean =>
  k * classicalError(computation, k) <= LOOSEST;

/** The most that C allows, in units of max|A|·max|B|. */
const LOOSEST = 0.5;

/** Grades a product by the errors that each grade allows. An entry of Ĉ that is not finite reaches none. */
export function gradeProduct(
  { operands: { a, b }, outcomes: [{ c }], reference }: GradingEvidence,
  { underflow, ...factor }: GradeAllowance,
): GradedProduct {
  const [m, n] = [a.rows, b.cols];
  const [rows, columns] = [rowMaxima(a), columnMaxima(b)];
  const whole = largestOf(rows) * largestOf(columns);
  const allowed: Record<Grade, (i: number, j: number) => number> = {
    A: (i, j) => factor.A * reference.size[i * n + j] + underflow,
    B: (i, j) => factor.B * rows[i] * columns[j] + underflow,
    C: () => factor.C * whole + underflow,
  };
  const worstOf = (grade: Grade): GradedEntry => {
    let worst: GradedEntry | undefined;
    for (let e = 0; e < m * n; e++) {
      const [i, j] = [Math.floor(e / n), e % n];
      const expected = reference.value[e];
      const error = Math.abs(c.data[e] - expected - reference.low[e]);
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

export function worseGrade(x: ReachedGrade, y: ReachedGrade): ReachedGrade {
  const order: readonly ReachedGrade[] = [...grades, 'none'];
  return order[Math.max(order.indexOf(x), order.indexOf(y))];
}

/** True if a grade is at least as good as the one wanted. */
export const reachesGrade = (grade: ReachedGrade, wanted: Grade): boolean =>
  worseGrade(grade, wanted) === wanted;

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
