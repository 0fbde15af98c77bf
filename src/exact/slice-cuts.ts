import { makeNumbers } from '../base/numbers.ts';
import type { AnchorWindow } from './anchor-window.ts';
import type { ExactOperands } from './operands.ts';
import type { ResultBlock } from './sums.ts';

/**
 * Cuts each column of B in a block of small exponent range into two slices. The products of A with either slice then add up without any
 * error in a double of their own: two additions a product, where anchors take four (the error-free transformation of Ozaki, Ogita, Oishi
 * and Rump, 2012, with one operand cut, once).
 *
 * With tA, gA, tB, gB, L and reaches as in {@link AnchorWindow}, R the largest reach of the rows of the block, and the column cut at s =
 * gB + 53 − L − R: its entries y rounded to a multiple of 2^s are the upper slice, at most 2^(tB+1), and their remainders, at most
 * 2^(s−1) and multiples of 2^gB, the lower one.
 * - Lower sums are multiples of 2^(gA+gB), of at most k·2^(tA+1)·2^(s−1) ≤ 2^(L+tA+s) = 2^(53+gA+gB + (tA−gA)−R): all exact.
 * - Upper sums are multiples of 2^(gA+s), of at most k·2^(tA+1)·2^(tB+1) ≤ 2^(L+tA+tB+2): all exact if that is at most 2^(53+gA+s): if
 *   tB−gB ≤ 104 − 2L − (tA−gA) − R, which tB−gB ≤ 102 − 2L − 2R implies. So every entry is in the window too.
 * - Adding 1.5·2^(52+s) to y and subtracting it again rounds to a multiple of 2^s as long as abs(y) ≤ 2^(51+s): tB+1 ≤ 51+s, or tB−gB ≤
 *   103 − L − R, which follows likewise.
 *
 * @returns for each column of the block the number to add and subtract; undefined if the exponents span more.
 */
export function sliceCuts(
  { rowReach, colReach, widest }: AnchorWindow,
  { shape: { k }, cols }: ExactOperands,
  { i0, i1, j0, j1 }: ResultBlock,
): Float64Array | undefined {
  const reach = rowReach.subarray(i0, i1).reduce((a, b) => Math.max(a, b), 0);
  if (colReach.subarray(j0, j1).some((own) => own > widest - 2 * reach)) return undefined;
  const bits = k <= 1 ? 0 : 32 - Math.clz32(k - 1);
  // The grid of a column of zeros may be any.
  return makeNumbers(j1 - j0, (c) => {
    const grid = cols.top[j0 + c] < cols.grid[j0 + c] ? 0 : cols.grid[j0 + c];
    return 1.5 * 2 ** (52 + grid + 53 - bits - reach);
  });
}
