import type { CodedMatrix } from '../matrix/coded.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { memberOf, type StackedOperands, stackRows } from '../matrix/members.ts';
import { scaleSize } from '../precision/coding/blocks.ts';
import type { Coding, Operand } from '../precision/coding/coding.ts';
import { decodeValid } from '../precision/coding/decode-coded.ts';
import { type CodedFactors, kernelOperandsOf } from '../precision/coding/kernel-operands.ts';
import { unitRoundoffOf } from '../precision/device-errors.ts';
import type { Computation, Precision } from '../precision/precision.ts';
import type { Analysis } from './analysis.ts';

/** Number of roundings besides those of the sums of k products: the corrections are products of three and of two, added in three steps. */
const BESIDE = 6;

/**
 * Returns operands with entries (|element| + |zero point|)·|factors|: the sizes in sums of raw elements and their corrections. The operands
 * of a batch lie one below the other.
 */
export function rawSizes(operands: StackedOperands, gemm: Gemm, precision: Precision): StackedOperands {
  const { factors, ...elements } = kernelOperandsOf(operands, gemm, precision);
  const sizes = (of: Operand): Matrix => {
    const coding = precision.coded?.[of];
    const own = factors[of];
    if (coding === undefined || own === undefined) return magnitudes(operands[of]);
    const rows = of === 'a' ? gemm.m : gemm.k;
    const parts = Array.from({ length: own.members }, (_, p) => {
      const size = memberOf(elements[of], rows, p);
      return decodeValid(magnitudesOf(own, size, of, p, coding.scales), of, coding);
    });
    return stackRows(parts, { m: rows, n: elements[of].cols });
  };
  return { ...operands, a: sizes('a'), b: sizes('b') };
}

/** Returns the codes of matrix p of a batch without signs. Its zero points are negative, so that they are added. */
function magnitudesOf(
  { scales, zeros }: CodedFactors,
  elements: Matrix,
  of: Operand,
  p: number,
  blocks: Coding['scales'],
): CodedMatrix {
  const own = (all: Matrix, level: number) => memberOf(all, scaleSize(elements, of, blocks[level]).rows, p);
  return {
    elements: magnitudes(elements),
    scales: scales.map((list, level) => magnitudes(own(list, level))),
    ...(zeros === undefined ? {} : { zeros: negated(magnitudes(own(zeros, 0))) }),
  };
}

const magnitudes = ({ rows, cols, data }: Matrix): Matrix =>
  matrix(rows, cols, data.map(Math.abs) as typeof data);
const negated = ({ rows, cols, data }: Matrix): Matrix =>
  matrix(rows, cols, data.map((x) => -x) as typeof data);

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
  const { bound, sigma, mirror } = ofSizes;
  const sums = mirror.data;
  return {
    reach: ofSizes.reach,
    mirror: analysis.mirror,
    bound: {
      ...bound,
      data: bound.data.map((own, e) => (own + beside * (Math.abs(sums[e]) + own)) * (1 + 2 ** -50)),
    },
    sigma: { ...sigma, data: sigma.data.map((own, e) => Math.hypot(own, beside * Math.abs(sums[e]))) },
  };
}
