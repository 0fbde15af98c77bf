import { mapNumbers, zeros } from '../base/numbers.ts';
import type { Lend } from '../exact/exact-product.ts';
import type { ProductMagnitudes } from '../exact/magnitudes.ts';
import { raised } from '../exact/sizes.ts';
import type { Matrix } from '../matrix/dense.ts';
import { addProduct } from '../precision/add-product.ts';
import { operandErrorOf, underflowOf } from '../precision/device-errors.ts';
import type { Computation } from '../precision/precision.ts';
import type { EntryErrors } from './any-schedule.ts';
import { type BlockedOperand, blockedOperand, exactOperand } from './blocked-operand.ts';
import { addProductBounds } from './bound.ts';
import { leafErrors } from './leaf-sums.ts';
import { addLost, sumVariance } from './sigma.ts';

/** Options of reading blocks of rows of A·B. */
export interface BlockReading {
  readonly computation: Computation;
  readonly width: number;
  /** The magnitudes of the entries, where they are known: of exact operands and width 1. Sizes are raised in place. */
  readonly magnitudes?: ProductMagnitudes | undefined;
  /** Gives memory for the results beside known magnitudes. */
  readonly lend?: Lend | undefined;
  /** Levels of a fast algorithm, and the errors of any entry of A·B for any recursion. Without it, the product is classical. */
  readonly fast?: { readonly levels: number; readonly any: EntryErrors } | undefined;
}

/** Errors of each block of each row, m×⌈n/width⌉. */
export interface BlockErrors {
  /** The sum of the bounds of its entries. */
  readonly bound: Float64Array;
  /** The root of the sum of the squares of the expected errors. */
  readonly sigma: Float64Array;
  /** The sum of its entries of |alpha||A||B| + |beta||C|, or an upper bound of it. */
  readonly size: Float64Array;
  /** An upper bound of the entries of |alpha||A||B| + |beta||C|. */
  readonly largest: Float64Array;
}

/** Errors and squares of blocks of A·B. */
export interface BlockedProduct extends BlockErrors {
  /** Σ a²b² of their entries. */
  readonly squares: Float64Array;
}

/**
 * Reads rows of A against the blocks of B: see {@link BlockErrors}.
 * @param b read only where blocks have one entry
 * @param product the sums of the squares of A·B
 */
export function blockedProduct(
  a: Matrix,
  b: Matrix | undefined,
  y: BlockedOperand,
  { computation, width, fast, magnitudes, lend = zeros }: BlockReading,
  product: Float64Array,
): BlockedProduct {
  const k = a.cols;
  const shape = { m: a.rows, k, n: y.blocks };
  const error = operandErrorOf(computation);
  const isSummed = magnitudes === undefined && error === undefined && b === undefined;
  const x = isSummed || magnitudes !== undefined ? exactOperand(a) : blockedOperand(a, 1, error);
  const terms = isSummed ? sumTerms(a, y) : undefined;
  const times = (left: Float64Array, right: Float64Array) => {
    const out = new Float64Array(a.rows * y.blocks);
    addProduct(left, right, shape, out);
    return out;
  };
  const squares = magnitudes?.squares ?? terms?.squares ?? times(x.squares, y.squares);
  const known = magnitudes?.sizes ?? terms?.sizes;
  const size = known ?? raised(times(x.plain, y.plain), k + width);
  const largest = width === 1 ? size : raised(terms?.most ?? times(x.plain, y.most), k);
  if (fast !== undefined) {
    const all = (value: number) => new Float64Array(size.length).fill(value);
    const { bound, sigma } = fast.any;
    return { bound: all(width * bound), sigma: all(Math.sqrt(width) * sigma), size, largest, squares };
  }
  const [leaf, underflow] = [leafErrors(computation, k), underflowOf(computation)];
  const bound = (known === undefined ? zeros : lend)(size.length);
  addProductBounds(x, y, shape, { leaf, underflow }, bound, { entries: width, sizes: known });
  if (known !== undefined) raised(known, k + width);
  const operand = underflow.operand * Math.hypot(x.largest, y.largest);
  const lost = (leaf.absolute + Math.max(1, leaf.operations) * k * (underflow.product + operand)) ** 2;
  const surplus = leaf.signs !== 0 && b !== undefined ? times(signs(a), signs(b)) : undefined;
  const drift = (error?.drift ?? 0) * (Number(!x.exact) + Number(!y.exact));
  const sigma = lend(squares.length);
  for (let at = 0; at < sigma.length; at++) {
    const q = squares[at];
    const square = product[at];
    const all = width === 1 ? (size[at] + Math.sqrt(square)) ** 2 : 2 * (k * q + square);
    const usual = Math.min(k * k, 2 * k * Math.max(1, q === 0 ? 1 : square / q));
    const own = sumVariance(leaf, q, square, all, surplus === undefined ? usual : surplus[at] ** 2);
    sigma[at] = own + drift ** 2 * square + lost * width;
  }
  if (b !== undefined && error?.lost !== undefined) addLost(a.data, b.data, error.lost, shape, sigma);
  // For several entries (Σ_p l_p·y_p)² ≤ k·Σ_p l_p²·y_p², by Cauchy and Schwarz. For both operands, the square of a sum is at most twice
  // that of each.
  const lostSquares =
    width === 1
      ? []
      : [
          [x.lost, y.squares],
          [x.squares, y.lost],
        ];
  for (const [left, right] of lostSquares) {
    if (left !== undefined && right !== undefined)
      addProduct(
        mapNumbers(left, (q) => 2 * k * q),
        right,
        shape,
        sigma,
      );
  }
  for (const [left, right] of [
    [x.squares, y.variances],
    [x.variances, y.squares],
  ]) {
    if (left !== undefined && right !== undefined) addProduct(left, right, shape, sigma);
  }
  for (let at = 0; at < sigma.length; at++) sigma[at] = Math.sqrt(sigma[at]);
  return { bound, sigma, size, largest, squares };
}

/**
 * Adds up the terms of each row of A and block of B in the order of k, as products of magnitudes, of squares and with the largest entries:
 * in one pass, since copies of A as magnitudes and squares take longer to write than to multiply.
 */
function sumTerms({ rows, cols: k, data }: Matrix, { blocks, plain, squares, most }: BlockedOperand) {
  const sums = { sizes: zeros(rows * blocks), squares: zeros(rows * blocks), most: zeros(rows * blocks) };
  for (let at = 0; at < rows * blocks; at++) {
    const [first, block] = [Math.floor(at / blocks) * k, at % blocks];
    let [sizes, squared, largest] = [0, 0, 0];
    for (let p = 0, e = block; p < k; p++, e += blocks) {
      const x = Math.abs(data[first + p]);
      sizes += x * plain[e];
      squared += x * x * squares[e];
      largest += x * most[e];
    }
    sums.sizes[at] = sizes;
    sums.squares[at] = squared;
    sums.most[at] = largest;
  }
  return sums;
}

const signs = ({ data }: Matrix): Float64Array => mapNumbers(data, Math.sign);
