import { makeNumbers } from '../../base/numbers.ts';
import { type AnchorWindow, fitsAnchors } from '../anchor-window.ts';
import { type ExactOperands, productsAreExact } from '../operands.ts';
import { anchorWriter } from '../sum-anchors.ts';
import type { BlockSummer, PairSums, ResultBlock } from '../sums.ts';
import { loadSimd } from './memory.ts';
import {
  COLS,
  layout,
  packA,
  packB,
  ROWS,
  slicePanels,
  splitTerms,
  splitUpperHalves,
  TILE_COLS,
  TILE_ROWS,
} from './pack.ts';

/** The number of entries of a block for each one outside the window that may be summed alone. */
const FEW = 32;

/**
 * Sums blocks with the kernels in WebAssembly.
 * @param window present if products are exact: blocks of which nearly all entries fit it are summed in slices or from anchors.
 */
export function simdSums(operands: ExactOperands, window: AnchorWindow | undefined): BlockSummer<PairSums> {
  const kernels = loadSimd();
  const { memory } = kernels;
  const anchors = new Float64Array(ROWS * COLS);
  const plane = (at: number) => memory.subarray(at, at + ROWS * COLS);
  const [hi, lo, magnitude] = [layout.sums.hi, layout.sums.lo, layout.sums.magnitude].map(plane);
  const writeAnchors = productsAreExact(operands)
    ? anchorWriter(operands, { rows: ROWS, cols: COLS })
    : undefined;

  return {
    rows: ROWS,
    cols: COLS,
    sum(block) {
      const within = window !== undefined && fits(window, block) ? window : undefined;
      const cuts = within && sliceCuts(within, operands, block);
      const kernel = cuts ? 'sliced' : writeAnchors ? 'anchored' : 'splitProducts';
      const rowPairs = Math.ceil((block.i1 - block.i0) / TILE_ROWS);
      const count = rowPairs * TILE_ROWS * COLS;
      const panels = Math.ceil((block.j1 - block.j0) / TILE_COLS);
      kernels.cutRows = undefined;
      for (const sums of [hi, lo, magnitude]) sums.fill(0, 0, count);
      if (kernel === 'anchored') {
        if (within) windowAnchors(anchors, within, block);
        else if (writeAnchors) {
          writeAnchors(block, COLS, magnitude);
          for (let at = 0; at < count; at++) anchors[at] = 3 * magnitude[at];
        }
        hi.set(anchors.subarray(0, count));
      }
      for (const terms of splitTerms(operands)) {
        packA(memory, operands, block, terms);
        packB(memory, operands, block, terms);
        if (cuts) slicePanels(memory, cuts, terms);
        if (kernel === 'splitProducts') splitUpperHalves(memory, block, terms);
        kernels[kernel](rowPairs, panels, terms.t1 - terms.t0);
      }
      if (kernel === 'anchored') for (let at = 0; at < count; at++) hi[at] -= anchors[at];
      return { stride: COLS, hi, lo, magnitude, window: within };
    },
  };
}

/** True if nearly all entries of a block fit the window. */
function fits(window: AnchorWindow, { i0, i1, j0, j1 }: ResultBlock): boolean {
  let left = Math.floor(((i1 - i0) * (j1 - j0)) / FEW);
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      if (!fitsAnchors(window, i, j) && left-- === 0) return false;
    }
  }
  return true;
}

/** Writes the anchor of each entry of a block within the window. */
function windowAnchors(
  anchors: Float64Array,
  { rowAnchor, colAnchor }: AnchorWindow,
  { i0, i1, j0, j1 }: ResultBlock,
): void {
  for (let i = i0; i < i1; i++) {
    const anchor = rowAnchor[i];
    const from = (i - i0) * COLS - j0;
    for (let j = j0; j < j1; j++) anchors[from + j] = anchor * colAnchor[j];
  }
}

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
