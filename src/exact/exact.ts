/**
 * The exact product: every entry is the exact inner product of the stored numbers, correctly rounded.
 *
 * Four tiers, each entry decided by the first that can:
 * 1. a sum without error, if the exponents span a limited window: of digits of A and of B; or, if products are exact, in two doubles, of
 *    two slices of B or from anchors;
 * 2. a double-double sum, if its proved error bound leaves no doubt about the rounding;
 * 3. an expansion, without error, anchored if the exponents allow it, otherwise grown term by term;
 * 4. integers in fixed point, if products or their parts could overflow or underflow a double.
 *
 * WebAssembly with vectors computes the sums of the first two tiers if the runtime has it. Plain TypeScript begins with the second tier
 * if products are exact: sums that are exact in the first tier have no error there, so all bits are the same. Otherwise it sums by
 * digits, too.
 */

import { type Matrix, productShape } from '../matrix/dense.ts';
import { type Engine, engineFor } from './engine.ts';
import type { Certificate, ExactProduct } from './exact-product.ts';
import { readOperands } from './operands.ts';
import { requireExactInTurn } from './postcondition.ts';
import { blockSolver } from './solver.ts';

export type { ExactProduct } from './exact-product.ts';

/** Rows of an exact product: `value` and `low` are those rows of {@link ExactProduct}'s, row-major. */
export interface ExactRows {
  readonly value: Float64Array;
  readonly low: Float64Array;
  readonly stats: Certificate;
}

/**
 * Computes the exact product of A (m×k) and B (k×n), f32 or f64 each.
 * @param engine the engine. @defaultValue the fastest here
 * @throws ParanoiaError `shapes-differ`, `bad-operand`; ReferenceFault if the product is not exact
 */
export function exactProduct(a: Matrix, b: Matrix, engine?: Engine): ExactProduct {
  const { m, n } = productShape(a, b);
  const { value, low, stats } = exactRows(a, b, 0, m, engine);
  const computed = { product: { rows: m, cols: n, data: value }, low, certificate: stats };
  requireExactInTurn(a, b, computed);
  return computed;
}

/**
 * Computes rows rowBegin ≤ i < rowEnd of the exact product of A (m×k) and B (k×n), f32 or f64 each.
 * @throws ParanoiaError `shapes-differ`, `bad-operand`
 */
export function exactRows(
  a: Matrix,
  b: Matrix,
  rowBegin: number,
  rowEnd: number,
  engine?: Engine,
): ExactRows {
  const { n } = productShape(a, b);
  const operands = readOperands(a, b);
  const count = (rowEnd - rowBegin) * n;
  const value = new Float64Array(count);
  const low = new Float64Array(count);
  const solve = blockSolver(operands, engine ?? engineFor(count * a.cols));
  const stats = solve({ i0: rowBegin, i1: rowEnd, j0: 0, j1: n }, { value, low, firstRow: rowBegin });
  return { value, low, stats };
}
