import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { memberOf, type StackedOperands, stackRows } from '../matrix/members.ts';
import { hasOffsets, type Operand, scaleSize } from '../precision/coding/coding.ts';
import { decodeValid } from '../precision/coding/decode-coded.ts';
import { endsOf } from '../precision/coding/fill.ts';
import { kernelOperandsOf } from '../precision/coding/kernel-operands.ts';
import { unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import type { Analysis } from './analysis.ts';

/** Number of roundings besides those of the sums of k products: the corrections are products of three and of two, added in three steps. */
const BESIDE = 6;

/**
 * Returns operands with entries (|element| + |zero point|)·|factors| + |minimum|: the sizes in sums of raw elements and their corrections. The operands
 * of a batch lie one below the other.
 */
export const rawSizes = (operands: StackedOperands, gemm: Gemm, kernel: OffsetKernel): StackedOperands => ({
  ...operands,
  a: sizesOf('a', operands, gemm, kernel, Math.abs),
  b: sizesOf('b', operands, gemm, kernel, Math.abs),
});

/** Returns the sizes |zero point|·|factors| that multiply the sums of the other operand, entry by entry. */
export const offsetsOf = (of: Operand, operands: StackedOperands, gemm: Gemm, kernel: OffsetKernel): Matrix =>
  sizesOf(of, operands, gemm, kernel, () => 0);

/** The parts of a kernel that decide its offsets. */
type OffsetKernel = Pick<Computation, 'precision' | 'activations'>;

function sizesOf(
  of: Operand,
  operands: StackedOperands,
  gemm: Gemm,
  { precision, activations }: OffsetKernel,
  sizeOf: (element: number) => number,
): Matrix {
  const { factors, ...all } = kernelOperandsOf(operands, gemm, precision);
  const coding = precision.coded?.[of];
  const own = factors[of];
  if (coding === undefined || own === undefined) return mapped(operands[of], sizeOf);
  const rows = of === 'a' ? gemm.m : gemm.k;
  // Beside quantized activations, elements of two's complement are stored without a sign, with an offset that all share.
  const stored = activations === undefined || hasOffsets(coding) ? 0 : -endsOf(coding.element).least;
  const parts = Array.from({ length: own.members }, (_, p) => {
    const elements = mapped(memberOf(all[of], rows, p), sizeOf);
    const part = (list: Matrix, level: number, change: (x: number) => number) =>
      mapped(memberOf(list, scaleSize(elements, of, coding.scales[level]).rows, p), change);
    // Zero points and minima are negative here, so that they are added.
    const first = coding.scales.findIndex(({ subtracted }) => subtracted === true);
    const scales = own.scales.map((list, level) =>
      part(list, level, level === first ? (x) => -Math.abs(x) : Math.abs),
    );
    const zeros = part(own.zeros ?? own.scales[0], 0, own.zeros ? (x) => -Math.abs(x) : () => -stored);
    return decodeValid({ elements, scales, zeros }, of, coding);
  });
  return stackRows(parts, { m: rows, n: all[of].cols });
}

const mapped = ({ rows, cols, data }: Matrix, change: (x: number) => number): Matrix =>
  matrix(rows, cols, data.map(change) as typeof data);

/**
 * Analyzes a product whose zero points are subtracted from sums: Σ(a − z)(b − y) = Σab − zΣb − yΣa + kzy. Each of these
 * sums errs by γ_k of the sum of its absolute terms at most, the products and the additions of the last three by u each; and
 *
 *     Σ|a||b| + |z|Σ|b| + |y|Σ|a| + k|z||y| = Σ(|a| + |z|)(|b| + |y|),
 *
 * so the bound is that of a classical product of entries of these sizes, plus 6u of it. So are the expected errors, which is
 * more than the loss of raw elements of both signs.
 * @param ofSizes the analysis of the product of {@link rawSizes}.
 */
export function withZeroPointsLast(
  analysis: Analysis,
  ofSizes: Analysis,
  computation: Computation,
): Analysis {
  const beside = BESIDE * unitRoundoffOf(computation);
  const { bound, sigma, model } = ofSizes;
  const sums = model.data;
  return {
    reach: ofSizes.reach,
    model: analysis.model,
    bound: {
      ...bound,
      data: bound.data.map((own, e) => (own + beside * (Math.abs(sums[e]) + own)) * (1 + 2 ** -50)),
    },
    sigma: { ...sigma, data: sigma.data.map((own, e) => Math.hypot(own, beside * Math.abs(sums[e]))) },
  };
}
