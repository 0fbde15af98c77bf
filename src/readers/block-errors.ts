import type { Gemm } from '../matrix/gemm.ts';
import { readsFactors } from '../matrix/members.ts';
import { panelsOf, type Rows, rowsOf } from '../matrix/row-reader.ts';
import { operandErrorOf, resultErrorOf } from '../precision/device-errors.ts';
import { conventionErrors } from './any-convention.ts';
import { type BlockedOperand, blockedOperand, exactOperand } from './blocked-operand.ts';
import {
  type BlockErrors,
  type BlockedProduct,
  type BlockReading,
  blockedProduct,
} from './blocked-product.ts';
import type { ScalingConvention } from './convention.ts';

/** Options of reading a product's rows in blocks of `width` entries. */
export interface BlockTask extends BlockReading {
  readonly gemm: Pick<Gemm, 'k' | 'alpha' | 'beta'>;
  readonly convention?: ScalingConvention | undefined;
  /** The blocks of B, where they are known. */
  readonly y?: BlockedOperand | undefined;
  /** The sum of the squares of the entries of A·B and of D = alpha·A·B + beta·C, for each block. */
  readonly squares: { readonly product: Float64Array; readonly value: Float64Array };
}

/** The operands of a product, which are read a few rows at a time. */
export interface RowOperands {
  readonly a: Rows;
  readonly b: Rows;
  readonly c?: Rows | undefined;
}

/** Approximate number of entries of A that are read at once. */
const PANEL = 2 ** 18;

/**
 * Computes the running bound and the expected error of a classical product, or of a fast one with unknown recursion, summed
 * over blocks of `width` entries of each row. It uses matrix-vector products, in O(mk + kn + mn) for a few blocks.
 *
 * Bounds. That of entry (i, j) is linear in the quantities of column j of B: γ_k·Σ_p X_ip·Y_pj + Σ_p x_ip·e_pj + … of
 * {@link addProductBounds}. So Σ_j over a block is the same expression of Σ_j Y_pj, Σ_j e_pj, …. Constants count once an entry. The
 * convention of alpha and beta is linear in bound, size and |C| ({@link conventionErrors}). Sums of non-negative doubles round
 * by 2^-53 of themselves for each addition, which is added. This is a theorem, since the entries' bound is one.
 *
 * Expected errors. Variances are linear likewise, except for partial sums' max(0, c² − Q). Its sums over a block are
 * compared, as the underlying model does. For sums whose order depends on the data, (Σ|x||y|)² ≤ k·Q by Cauchy and
 * Schwarz. For surplus terms of one sign, D² is taken as 2k·max(1, c²/Q), k² at most: twice its value for independent terms.
 * For blocks of one entry, all results are those of the readers of plans. This is a model, as theirs is.
 */
export function blockErrors({ a, b, c }: RowOperands, task: BlockTask): BlockErrors {
  const { width, gemm, computation, magnitudes } = task;
  const whole = (x: Rows) => rowsOf(x).read(0, x.rows);
  if (magnitudes !== undefined && readsFactors(gemm)) {
    const [x, y] = [whole(a), whole(b)];
    const found = blockedProduct(x, y, exactOperand(y), task, task.squares.product);
    return withResults(found, { a, b, c }, task);
  }
  const { y = blockedOperand(b, width, operandErrorOf(computation)) } = task;
  const entries = width === 1 ? whole(b) : undefined;
  const make = () => new Float64Array(a.rows * y.blocks);
  const found = { bound: make(), sigma: make(), size: make(), largest: make(), squares: make() };
  for (const { from, panel } of readsFactors(gemm) ? panelsOf(a, PANEL) : []) {
    const at = from * y.blocks;
    const own = blockedProduct(panel, entries, y, task, task.squares.product.subarray(at));
    for (const name of ['bound', 'sigma', 'size', 'largest', 'squares'] as const)
      found[name].set(own[name], at);
  }
  return withResults(found, { a, b, c }, task);
}

/** Converts errors of A·B to those of results, in place. */
function withResults(found: BlockedProduct, operands: RowOperands, task: BlockTask): BlockErrors {
  if (task.gemm.alpha !== 1 || task.gemm.beta !== 0) inConvention(found, operands, task);
  roundResults(found, task);
  return found;
}

/** Converts errors of A·B to those of alpha·A·B + beta·C, in place. */
function inConvention(
  { bound, sigma, size, largest, squares }: BlockedProduct,
  { a, b, c }: RowOperands,
  { width, gemm, computation, convention, fast, squares: given, y }: BlockTask,
): void {
  const [byAlpha, byBeta] = [Math.abs(gemm.alpha), Math.abs(gemm.beta)];
  const held = gemm.beta === 0 || c === undefined ? undefined : blockedOperand(c, width, undefined);
  const errors = conventionErrors(gemm, computation, fast?.levels ?? 0, convention);
  const lostAt = errors.scaledFirst
    ? lostByUnderflow(a, y ?? blockedOperand(b, width, undefined), errors.smallest, width)
    : () => 0;
  for (let e = 0; e < bound.length; e++) {
    const [added, most] = [held?.plain[e] ?? 0, held?.most[e] ?? 0];
    const [lost, norm] = [lostAt(e), Math.sqrt(held?.squares[e] ?? 0)];
    const [product, value] = [Math.sqrt(given.product[e]), Math.sqrt(given.value[e])];
    const of = { sigma: sigma[e], squares: squares[e], product, value, added: norm, lost };
    sigma[e] = errors.sigma(of, width);
    const sizes = Math.sqrt(width) * product + bound[e];
    bound[e] = errors.bound({ bound: bound[e], size: size[e], product: sizes, added, lost }, width);
    size[e] = (byAlpha * size[e] + byBeta * added) * (1 + 2 ** -50);
    largest[e] = (byAlpha * largest[e] + byBeta * most) * (1 + 2 ** -50);
  }
}

/**
 * Adds the errors of complete sums rounded to a narrower format, in place. The sizes of a block add up to no more than those of its terms,
 * nor, by Cauchy and Schwarz, than √(width·Σd²) of the rounded values.
 */
function roundResults(
  { bound, sigma, size }: BlockedProduct,
  { computation, squares, width }: BlockTask,
): void {
  const error = resultErrorOf(computation);
  if (error === undefined) return;
  const { relative, absolute, most, spread } = error;
  for (let e = 0; e < bound.length; e++) {
    const rounded = (Math.sqrt(width * squares.value[e]) + width * absolute) * (1 + 2 * relative);
    const sums = Math.min(size[e], rounded) + 2 * bound[e];
    sigma[e] = spread(sigma[e], Math.sqrt(squares.value[e]), width);
    bound[e] = (bound[e] + most(sums, width)) * (1 + 2 ** -50);
  }
}

/** Returns the loss of a block where each entry of A, or of B, times alpha underflows; for several entries at most the sum of both. */
function lostByUnderflow(
  a: Rows,
  { plain, blocks }: Pick<BlockedOperand, 'plain' | 'blocks'>,
  smallest: number,
  width: number,
) {
  const rows = blockedOperand(a, Math.max(1, a.cols), undefined).plain;
  const columns = new Float64Array(blocks);
  for (let e = 0; e < plain.length; e++) columns[e % blocks] += plain[e];
  return (at: number) => {
    const [row, column] = [width * rows[Math.floor(at / blocks)], columns[at % blocks]];
    return smallest * (width === 1 ? Math.max(row, column) : row + column);
  };
}
