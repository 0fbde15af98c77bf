import type { BilinearTable } from '../algorithms/bilinear-table.ts';
import { threeM, threeMVariants } from '../algorithms/three-m.ts';
import { absoluteProduct, largestOf } from '../exact/sizes.ts';
import type { Matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { operandErrorOf, underflowOf, unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { type Analysis, analyze } from './analysis.ts';
import { limitsOf, type OverflowLimits } from './any-schedule.ts';
import { leafErrors } from './leaf-sums.ts';
import { BitExactModel } from './model.ts';
import { SigmaReader } from './sigma.ts';
import { walkPlan } from './walk.ts';

/** Number of roundings of a term besides those of its product: one in each factor, two in the last sums. */
const BESIDE = 4;

/**
 * Analyzes a complex product in any three real ones: Higham's, Gauss's with k₁ = (Ar + Ai)·Br, Knuth's with
 * Ar·(Br + Bi), and all others of factors x or x ± y whose products are added with factors of ±1. There are twelve
 * (`properties/three-products.test.ts` finds them). For each, the absolute values of all terms of a part add up to no more than
 *
 *     S_r = |Ar||Br| + 2|Ar||Bi| + 2|Ai||Br| + |Ai||Bi|,     S_i = 2|Ar||Br| + |Ar||Bi| + |Ai||Br| + 2|Ai||Bi|
 *
 * Each term passes at most one rounding in each of its factors, those of a sum of k products, and two in the last sums, so that
 *
 *     |D̂ − D| ≤ S·((1 + u)⁴·(1 + γ_k) − 1) = (k + 4)·u·S + O(u²)     (Higham, ASNA, Lemmas 3.1 and 3.3)
 *
 * with the loss of claimed sums ({@link leafErrors}) in place of γ_k, plus the possible underflow of operations. S_i is the sum of
 * Higham 1992, Theorem 2.2. S is an entry's reach, infinite where a factor may reach its limit.
 *
 * The expected error is the largest of both parts and of {@link threeMVariants}, which for independent entries have the largest sums
 * of squares of terms.
 */
export function analyzeThreeProducts(
  plan: Plan,
  a: Matrix,
  b: Matrix,
  computation: Computation,
  limits = limitsOf(computation),
): Analysis {
  const { model, sigma } = analyze(plan, a, b, computation);
  const expected = [sigma, ...threeMVariants.map((table) => sigmaOf(table, plan, a, b, computation))];
  const half = sigma.data.length / 2;
  const largest = ({ data }: Matrix, e: number) => Math.max(data[e % half], data[(e % half) + half]);
  return {
    model,
    ...errorsOf(sigma, a, b, computation, limits),
    sigma: {
      ...sigma,
      data: sigma.data.map((_, e) => Math.max(...expected.map((one) => largest(one, e)))),
    },
  };
}

/** Returns the expected error of another table of three products. */
function sigmaOf(
  table: BilinearTable,
  { shape }: Plan,
  a: Matrix,
  b: Matrix,
  computation: Computation,
): Matrix {
  const plan = compile({ algorithm: { ...threeM, ...table }, shape, depth: { levels: 1 } });
  const model = new BitExactModel(plan, a, b, computation);
  const sigma = new SigmaReader(plan, model, computation, { a, b });
  walkPlan(plan, [model, sigma]);
  return sigma.result();
}

/** Returns the bound and the reach of each entry. */
function errorsOf(
  like: Matrix<Float64Array>,
  a: Matrix,
  b: Matrix,
  computation: Computation,
  limits: OverflowLimits,
): Required<Pick<Analysis, 'bound' | 'reach'>> {
  const k = a.cols / 2;
  const u = unitRoundoffOf(computation);
  const operand = operandErrorOf(computation);
  const { loss } = leafErrors(computation, k);
  const grown = Math.log1p(u) * BESIDE + Math.log1p(loss) + 2 * Math.log1p(operand?.relative ?? 0);
  // A factor has a real and an imaginary part.
  const [largestA, largestB] = [2 * largestIn(a), 2 * largestIn(b)];
  const isWide = !(Math.max(largestA, largestB) * (1 + u) < limits.factors);
  const { product, sum, operand: flushed } = underflowOf(computation);
  const lostOperand = flushed + (operand?.absolute ?? 0) + sum;
  const lost = 3 * (k * (product + sum + lostOperand * (largestA + largestB + lostOperand)) + 2 * sum);
  // For the real matrices that stand for A and B: |Ar||Br| + |Ai||Bi| above |Ar||Bi| + |Ai||Br|.
  const sizes = absoluteProduct(a, b);
  const half = sizes.length / 2;
  const terms = sizes.map((size, e) => (size + 2 * sizes[(e + half) % (2 * half)]) * (1 + 2 ** -40));
  return {
    bound: { ...like, data: terms.map((size) => size * Math.expm1(grown) + lost) },
    reach: {
      ...like,
      data: terms.map((size) => (isWide ? Number.POSITIVE_INFINITY : size * Math.exp(grown))),
    },
  };
}

const largestIn = ({ data }: Matrix) => largestOf(Float64Array.from(data, Math.abs));
