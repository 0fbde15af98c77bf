/**
 * The exact product: every entry is the exact inner product of the stored numbers, correctly rounded.
 *
 * Four tiers, each entry decided by the first that can:
 * 1. a sum in two doubles without error, where the exponents span a limited window: of two slices of B, or from anchors;
 * 2. a double-double sum, where its proved error bound leaves no doubt about the rounding;
 * 3. an expansion, without error, anchored where the exponents allow it, else grown term by term;
 * 4. integers in fixed point, where products or their parts could overflow or underflow a double.
 *
 * The sums of the first two are computed in WebAssembly with vectors of two doubles where the runtime has them; plain TypeScript
 * begins with the second tier. What is exact in the first has no error in the second, so all bits are the same.
 */

import { type Matrix, productShape } from '../matrix/dense.ts';
import type { Certificate } from './certificate.ts';
import { type Engine, engineFor } from './engine.ts';
import { operandsOf } from './operands.ts';
import { blockSolver } from './solver.ts';

/** The exact product of A (m×k) and B (k×n), in about 106 bits, with the proof of how it was obtained. */
export interface ExactProduct {
  /**
   * m×n: each entry the exact inner product rounded to binary64, to nearest, ties to even, beyond the largest
   * double to ±Infinity. An exact zero is +0; a nonzero one that rounds to zero keeps its sign. Where an
   * operand is NaN or infinite: the IEEE 754 answer.
   */
  readonly product: Matrix<Float64Array>;
  /**
   * m×n row-major, exact − product: of abs at most half a unit in the last place of the product. Where a sum without error
   * decided, exact; where a double-double sum did, off by at most the certificate's `worstAbsolute`; else correctly
   * rounded, so off by at most 2^-53·abs(low), or 2^-1075 where that is larger. 0 where the product is not finite.
   */
  readonly low: Float64Array;
  readonly certificate: Certificate;
}

/** Rows of an exact product: `value` and `low` are those rows of {@link ExactProduct}'s, row-major. */
export interface ExactRows {
  readonly value: Float64Array;
  readonly low: Float64Array;
  readonly stats: Certificate;
}

/**
 * The exact product of A (m×k) and B (k×n), f32 or f64 each.
 * @param engine what computes it; left out, what is fastest here.
 * @throws Problem `shapes-differ`, `bad-operand`
 */
export function exactProduct(a: Matrix, b: Matrix, engine?: Engine): ExactProduct {
  const { m, n } = productShape(a, b);
  const { value, low, stats } = exactRows(a, b, 0, m, engine);
  return { product: { rows: m, cols: n, data: value }, low, certificate: stats };
}

/**
 * Rows rowBegin ≤ i < rowEnd of the exact product of A (m×k) and B (k×n), f32 or f64 each.
 * @throws Problem `shapes-differ`, `bad-operand`
 */
export function exactRows(
  a: Matrix,
  b: Matrix,
  rowBegin: number,
  rowEnd: number,
  engine?: Engine,
): ExactRows {
  const { n } = productShape(a, b);
  const operands = operandsOf(a, b);
  const count = (rowEnd - rowBegin) * n;
  const value = new Float64Array(count);
  const low = new Float64Array(count);
  const solve = blockSolver(operands, engine ?? engineFor(count * a.cols));
  const stats = solve({ i0: rowBegin, i1: rowEnd, j0: 0, j1: n }, { value, low, firstRow: rowBegin });
  return { value, low, stats };
}
