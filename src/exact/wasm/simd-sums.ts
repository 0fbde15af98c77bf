import { makeNumbers } from '../../base/numbers.ts';
import { anchorWriter, fitsAnchors } from '../anchors.ts';
import { upperHalf } from '../double-double.ts';
import { type ExactOperands, productsAreExact } from '../operands.ts';
import type { AnchorWindow, BlockSummer, PairSums, ResultBlock } from '../sums.ts';
import { loadSimd } from './memory.ts';

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

/** Terms t0 ≤ t < t1 of the inner products. */
interface TermRange {
  readonly t0: number;
  readonly t1: number;
}

/** Returns all terms, in runs that fit the memory. */
function splitTerms({ shape: { k } }: ExactOperands): TermRange[] {
  return Array.from({ length: Math.ceil(k / DEPTH) }, (_, piece) => ({
    t0: piece * DEPTH,
    t1: Math.min((piece + 1) * DEPTH, k),
  }));
}

/** Packs the rows of a block. A last pair that lacks a row keeps an old one, whose sums are never read. */
function packA(
  memory: Float64Array,
  { shape: { k }, a }: ExactOperands,
  { i0, i1 }: ResultBlock,
  { t0, t1 }: TermRange,
): void {
  for (let i = i0; i < i1; i++) {
    memory.set(a.subarray(i * k + t0, i * k + t1), layout.a.whole + (i - i0) * DEPTH);
  }
}

/** Packs the columns of a block in panels. The last panel keeps old entries in missing columns. */
function packB(
  memory: Float64Array,
  { shape: { n }, b }: ExactOperands,
  { j0, j1 }: ResultBlock,
  { t0, t1 }: TermRange,
): void {
  let at = layout.b.whole;
  for (let j = j0; j < j1; j += TILE_COLS) {
    const width = Math.min(TILE_COLS, j1 - j);
    for (let t = t0; t < t1; t++, at += TILE_COLS) {
      const from = t * n + j;
      for (let c = 0; c < width; c++) memory[at + c] = b[from + c];
    }
  }
}

/** Cuts the packed columns into two slices; see {@link sliceCuts}. */
function slicePanels(memory: Float64Array, cuts: Float64Array, { t0, t1 }: TermRange): void {
  for (let j = 0; j < cuts.length; j++) {
    const cut = cuts[j];
    const panel = Math.floor(j / TILE_COLS) * (t1 - t0) * TILE_COLS;
    for (let e = panel + (j % TILE_COLS), left = t1 - t0; left > 0; left--, e += TILE_COLS) {
      const x = memory[layout.b.whole + e];
      const upper = x + cut - cut;
      memory[layout.b.upper + e] = upper;
      memory[layout.b.lower + e] = x - upper;
    }
  }
}

/** Computes the upper halves of the packed rows and columns, and their remainders. */
function splitUpperHalves(
  memory: Float64Array,
  { i0, i1, j0, j1 }: ResultBlock,
  { t0, t1 }: TermRange,
): void {
  for (let row = 0; row < i1 - i0; row++) halveRun(memory, layout.a, row * DEPTH, t1 - t0);
  halveRun(memory, layout.b, 0, Math.ceil((j1 - j0) / TILE_COLS) * TILE_COLS * (t1 - t0));
}

type Planes = (typeof layout)['a' | 'b'];

function halveRun(memory: Float64Array, planes: Planes, from: number, count: number): void {
  for (let e = from; e < from + count; e++) {
    const x = memory[planes.whole + e];
    const upper = upperHalf(x);
    memory[planes.upper + e] = upper;
    memory[planes.lower + e] = x - upper;
  }
}

/** The largest block of the result, and the terms that are added between loading and storing its sums. */
const ROWS = 256;
export const COLS = 128;
export const DEPTH = 256;
/** A tile: rows of A, and columns of B, which are packed in panels of this width. */
export const TILE_ROWS = 2;
export const TILE_COLS = 4;

const PLANE_A = ROWS * DEPTH;
const PLANE_B = COLS * DEPTH;
const PLANE_SUMS = ROWS * COLS;

/**
 * The memory of the kernels, in doubles from its start. A: rows of {@link DEPTH} entries. B: panels, one after another, of four columns:
 * for each t, four entries. Sums: {@link ROWS} × {@link COLS}. Split products also take the upper halves of A and B and their
 * remainders; slices take those of B.
 */
export const layout = {
  a: { whole: 0, upper: PLANE_A, lower: 2 * PLANE_A },
  b: { whole: 3 * PLANE_A, upper: 3 * PLANE_A + PLANE_B, lower: 3 * PLANE_A + 2 * PLANE_B },
  sums: {
    hi: 3 * (PLANE_A + PLANE_B),
    lo: 3 * (PLANE_A + PLANE_B) + PLANE_SUMS,
    magnitude: 3 * (PLANE_A + PLANE_B) + 2 * PLANE_SUMS,
  },
} as const;

/** The doubles of the whole memory. */
export const SIZE = layout.sums.magnitude + PLANE_SUMS;
