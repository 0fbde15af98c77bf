import { absoluteProduct } from '../exact/sizes.ts';
import type { Scaling } from '../matrix/factor.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { readsFactors, type StackedOperands } from '../matrix/members.ts';
import type { Computation } from '../precision/precision.ts';
import type { Analysis } from './analysis.ts';
import { boundUnderflowLoss, conventionErrors, largestScale, squareProduct } from './any-convention.ts';
import type { ScalingConvention } from './convention.ts';

/** Entries of the real product that stands for a complex one, imaginary parts below real ones. */
type Entries = ArrayLike<number> | undefined;

/**
 * Derives the errors of alpha·A·B + beta·C with imaginary parts of alpha or beta from those of A·B, for any convention of a kernel has. Re
 * = αr·Pr − αi·Pi + βr·Cr − βi·Ci, and Im likewise. The largest error of an entry is |αr|·e_r + |αi|·e_i, whether sums or entries of A (or
 * B) are multiplied, since Σ|a′||b| ≤ |αr|·S_r + |αi|·S_i of the parts of a′ = α·a. The rest follows `conventionErrors` for sums of as many
 * entries. Expected errors of both parts are taken to be alike, which is an upper bound.
 * @param analysis of A·B alone
 */
export function inComplexConvention(
  analysis: Analysis,
  { a, b, c: before }: StackedOperands,
  gemm: Gemm & { readonly imaginary: Scaling },
  computation: Computation,
  levels: number,
  convention: ScalingConvention = {},
): Analysis {
  const { m, n, alpha, beta, imaginary } = gemm;
  const { round } = computation.precision.d;
  const errors = conventionErrors(gemm, computation, levels, convention);
  const isRead = readsFactors(gemm);
  const lostAt = errors.scaledFirst ? boundUnderflowLoss(a, b, errors.smallest) : () => 0;
  const sizes = isRead ? absoluteProduct(a, b) : undefined;
  const squares = errors.readsSquares ? squareProduct(a, b) : undefined;
  const half = (m / 2) * n;
  const otherOf = (e: number) => (e + half) % (m * n);
  const entry = (of: Entries, at: number) => of?.[at] ?? 0;
  /** Returns the real part of a complex factor times entries; for magnitudes, no term is subtracted. */
  const times = (by: number, turned: number, of: Entries, e: number) =>
    (by === 0 ? 0 : by * entry(of, e)) + (turned === 0 ? 0 : turned * entry(of, otherOf(e)));
  const [ofAlpha, ofBeta] = [Math.abs(imaginary.alpha), Math.abs(imaginary.beta)];
  const sizeOf = (of: Entries, e: number) => times(Math.abs(alpha), ofAlpha, of, e);
  const [product, added] = [isRead ? analysis.model.data : undefined, before?.data];
  const held = added === undefined ? undefined : Float64Array.from(added, Math.abs);
  const sizesOfProduct = product && Float64Array.from(product, Math.abs);
  const roots = squares && Float64Array.from(squares, Math.sqrt);
  const made = {
    model: analysis.model.data.slice(),
    bound: new Float64Array(m * n),
    sigma: new Float64Array(m * n),
  };
  for (let e = 0; e < m * n; e++) {
    const sign = e < half ? -1 : 1;
    const ofProduct = times(alpha, sign * imaginary.alpha, product, e);
    const value = ofProduct + times(beta, sign * imaginary.beta, added, e);
    const own = {
      added: times(Math.abs(beta), ofBeta, held, e),
      lost: lostAt(Math.floor(e / n), e % n),
    };
    made.model[e] = round(value);
    made.bound[e] = errors.bound({
      bound: isRead ? sizeOf(analysis.bound.data, e) : 0,
      size: sizeOf(sizes, e),
      ...own,
    });
    made.sigma[e] = errors.sigma({
      sigma: isRead ? sizeOf(analysis.sigma.data, e) : 0,
      squares: sizeOf(roots, e) ** 2,
      product: sizeOf(sizesOfProduct, e),
      value,
      ...own,
    });
  }
  const as = <T>(data: T) => ({ rows: m, cols: n, data });
  const { sums } = largestScale(gemm, convention);
  const reach =
    analysis.reach &&
    as(
      analysis.reach.data.map(
        (size, e, all) =>
          (isRead ? sums * Math.max(size, all[otherOf(e)]) : 0) + times(Math.abs(beta), ofBeta, held, e),
      ),
    );
  return { model: as(made.model), bound: as(made.bound), sigma: as(made.sigma), reach };
}
