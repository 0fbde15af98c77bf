import { badArgument } from '../base/messages.ts';
import { type Matrix, productShape } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/scaling.ts';
import { type ExactProduct, exactProduct } from './exact.ts';

/**
 * The exact alpha·A·B + beta·C of binary32 operands, with its certificate. It is a product itself,
 *
 *     [alpha·A | beta·C] · [B ; I],
 *
 * whose factors are exact in doubles: two binary32 numbers multiply to 48 bits. A is m×k, B k×n, C m×n; without beta, C is
 * not read. Cost: that of an m×(k+n)×n product.
 * @throws ParanoiaError `shapes-differ`, `bad-argument` where C is missing or does not fit
 */
export function exactScaledProduct(
  a: Matrix,
  b: Matrix,
  { alpha, beta }: Scaling,
  c: Matrix | undefined,
): ExactProduct {
  const { m, k, n } = productShape(a, b);
  const added = beta === 0 ? 0 : n;
  if (added > 0 && (c?.rows !== m || c.cols !== n)) {
    throw badArgument({ what: 'C', need: `an ${m}×${n} matrix, of which beta times is added` });
  }
  const left = new Float64Array(m * (k + added));
  for (let i = 0; i < m; i++) {
    const row = i * (k + added);
    for (let p = 0; p < k; p++) left[row + p] = alpha * a.data[i * k + p];
    for (let j = 0; j < added; j++) left[row + k + j] = beta * (c?.data[i * n + j] ?? 0);
  }
  const right = new Float64Array((k + added) * n);
  right.set(b.data);
  for (let j = 0; j < added; j++) right[(k + j) * n + j] = 1;
  return exactProduct({ rows: m, cols: k + added, data: left }, { rows: k + added, cols: n, data: right });
}
