import type { Matrix } from '../matrix/dense.ts';
import type { Gemm } from '../matrix/gemm.ts';
import { readsFactors, type Stacked } from '../matrix/members.ts';
import { addProduct } from '../precision/add-product.ts';
import { operandErrorOf, underflowOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import { type Convention, conventionErrors } from './any-convention.ts';
import type { AnyEntry } from './any-schedule.ts';
import { type BlockedOperand, blockedOperand } from './blocked-operand.ts';
import { addProductBounds } from './bound.ts';
import { leafErrors } from './leaf-sums.ts';
import { sumVariance } from './sigma.ts';

/** What is asked of a product whose rows are read in blocks of `width` entries. */
export interface BlockTask {
  readonly gemm: Pick<Gemm, 'k' | 'alpha' | 'beta'>;
  readonly computation: Computation;
  readonly convention?: Convention | undefined;
  readonly width: number;
  /** Of a fast algorithm its levels, and what any entry of A·B may err by, however it recurses; left out, it is classical. */
  readonly fast?: { readonly levels: number; readonly any: AnyEntry } | undefined;
  /** Of each block the sum of the squares of the entries of A·B and of D = alpha·A·B + beta·C. */
  readonly squares: { readonly product: Float64Array; readonly value: Float64Array };
}

/** Of each block of each row, m×⌈n/width⌉. */
export interface BlockErrors {
  /** The sum of the bounds of its entries. */
  readonly bound: Float64Array;
  /** The root of the sum of the squares of the errors to expect. */
  readonly sigma: Float64Array;
  /** The sum of its entries of |alpha||A||B| + |beta||C|, not below it. */
  readonly size: Float64Array;
  /** No entry of |alpha||A||B| + |beta||C| is larger. */
  readonly largest: Float64Array;
}

/** Rows of A that are read at once. */
const PANEL = 256;

/**
 * The running bound and the expected error of a classical product, or those of a fast one of which nothing is known, summed
 * over blocks of `width` entries of each row: as matrix-vector products, in O(mk + kn + mn) for a few blocks.
 *
 * Bounds. That of entry (i, j) is linear in what is known of column j of B: γ_k·Σ_p X_ip·Y_pj + Σ_p x_ip·e_pj + … of
 * {@link addProductBounds}. So Σ_j over a block is the same of Σ_j Y_pj, Σ_j e_pj, …; constants count once an entry. The
 * convention of alpha and beta is linear in bound, size and |C| ({@link conventionErrors}). Sums of non-negative doubles round
 * by 2^-53 of themselves an addition, which is added. A theorem, since the entries' bound is one.
 *
 * Expected errors. Variances are linear likewise, but for partial sums' max(0, c² − Q), of which the sums over a block are
 * compared, as the model behind them has it. For sums whose order depends on the data (Σ|x||y|)² ≤ k·Q by Cauchy and
 * Schwarz; of surplus terms of one sign, D² is taken as 2k·max(1, c²/Q), k² at most: what it is of independent terms, twice.
 * Of blocks of one entry all is what the readers of plans make of it. A model, as theirs.
 */
export function blockErrors({ a, b, c }: Stacked, task: BlockTask): BlockErrors {
  const { width, gemm, computation, convention, fast, squares } = task;
  const blocks = Math.ceil(b.cols / width);
  const [reads, m] = [readsFactors(gemm), a.rows];
  const isPlain = gemm.alpha === 1 && gemm.beta === 0;
  const y = blockedOperand(b, width, operandErrorOf(computation));
  const added = gemm.beta === 0 || c === undefined ? undefined : blockedOperand(c, width, undefined);
  const errors = conventionErrors(gemm, computation, fast?.levels ?? 0, convention);
  const make = () => new Float64Array(m * blocks);
  const found = { bound: make(), sigma: make(), size: make(), largest: make() };
  for (let from = 0; from < m; from += PANEL) {
    const rows = Math.min(PANEL, m - from);
    const panel = { rows, cols: a.cols, data: a.data.subarray(from * a.cols, (from + rows) * a.cols) };
    const own = reads ? productErrors(panel, y, task, squares.product.subarray(from * blocks)) : undefined;
    for (let at = 0; at < rows * blocks; at++) {
      const [e, block] = [from * blocks + at, at % blocks];
      const entries = Math.min(width, b.cols - block * width);
      const of = own?.(at, entries) ?? NOTHING;
      const [cSum, cSquare, cMost] = [added?.plain[e] ?? 0, added?.squares[e] ?? 0, added?.most[e] ?? 0];
      const lost = errors.smallest * (entries * of.row + y.columns[block]);
      const [product, value] = [Math.sqrt(squares.product[e]), Math.sqrt(squares.value[e])];
      const norm = Math.sqrt(cSquare);
      found.bound[e] = isPlain ? of.bound : errors.bound({ ...of, added: cSum, lost }, entries);
      found.sigma[e] = isPlain
        ? of.sigma
        : errors.sigma({ ...of, product, value, added: norm, lost }, entries);
      found.size[e] = (Math.abs(gemm.alpha) * of.size + Math.abs(gemm.beta) * cSum) * (1 + 2 ** -50);
      found.largest[e] = (Math.abs(gemm.alpha) * of.largest + Math.abs(gemm.beta) * cMost) * (1 + 2 ** -50);
    }
  }
  return found;
}

/** What is known of a block of A·B. */
interface OfBlock {
  readonly bound: number;
  readonly sigma: number;
  readonly size: number;
  readonly largest: number;
  /** Σ a²b². */
  readonly squares: number;
  /** Σ|a| of its row. */
  readonly row: number;
}

const NOTHING: OfBlock = { bound: 0, sigma: 0, size: 0, largest: 0, squares: 0, row: 0 };

/** Reads rows of A against the blocks of B. */
function productErrors(a: Matrix, y: BlockedOperand, task: BlockTask, product: Float64Array) {
  const { computation, width, fast } = task;
  const k = a.cols;
  const shape = { m: a.rows, k, n: y.blocks };
  const x = blockedOperand(a, 1, operandErrorOf(computation));
  const times = (left: Float64Array, right: Float64Array) => {
    const out = new Float64Array(a.rows * y.blocks);
    addProduct(left, right, shape, out);
    return out;
  };
  const up = 1 + (k + width + 2) * 2 ** -52;
  const [size, largest, squares] = [
    times(x.plain, y.plain),
    times(x.plain, y.most),
    times(x.squares, y.squares),
  ];
  const rows = new Float64Array(a.rows);
  for (let e = 0; e < a.data.length; e++) rows[Math.floor(e / k)] += x.plain[e];
  const shared = (at: number) => ({
    ...{ size: size[at] * up, largest: largest[at] * up, squares: squares[at] },
    row: rows[Math.floor(at / y.blocks)],
  });
  if (fast !== undefined) {
    const { bound, sigma } = fast.any;
    return (at: number, entries: number): OfBlock => ({
      ...shared(at),
      ...{ bound: entries * bound, sigma: Math.sqrt(entries) * sigma },
    });
  }
  const [leaf, underflow] = [leafErrors(computation, k), underflowOf(computation)];
  const bound = new Float64Array(a.rows * y.blocks);
  addProductBounds(x, y, shape, { leaf, underflow }, bound, width);
  const rounded = [times(x.squares, y.variances), times(x.variances, y.squares)];
  const surplus = leaf.signs !== 0 && width === 1 ? times(x.signs, y.signs) : undefined;
  const operand = underflow.operand * (x.largest + y.largest);
  const lost = (Math.max(1, leaf.operations) * k * (underflow.product + operand)) ** 2;
  return (at: number, entries: number): OfBlock => {
    const [Q, square] = [squares[at], product[at]];
    const all = width === 1 ? (size[at] + Math.sqrt(square)) ** 2 : 2 * (k * Q + square);
    const usual = Math.min(k * k, 2 * k * Math.max(1, Q === 0 ? 1 : square / Q));
    const variance = sumVariance(leaf, Q, square, all, surplus === undefined ? usual : surplus[at] ** 2);
    const sigma = Math.sqrt(variance + rounded[0][at] + rounded[1][at] + lost * entries);
    return { ...shared(at), bound: bound[at], sigma };
  };
}
