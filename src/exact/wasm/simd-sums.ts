import { type AnchorWindow, fitsAnchors } from '../anchor-window.ts';
import { type ExactOperands, productsAreExact } from '../operands.ts';
import { sliceCuts } from '../slice-cuts.ts';
import type { BlockSummer, PairSums, ResultBlock } from '../sums.ts';
import { COLS, layout, ROWS, TILE_COLS, TILE_ROWS } from './layout.ts';
import { loadSimd } from './memory.ts';
import { packA, packB, slicePanels, splitTerms, splitUpperHalves } from './pack.ts';

/** The number of entries of a block for each one outside the window that may be summed alone. */
const FEW = 32;

/**
 * Sums blocks with the kernels in WebAssembly.
 * @param window present if products are exact: blocks of which nearly all entries fit it are summed in slices or from anchors.
 */
export function simdSums(operands: ExactOperands, window: AnchorWindow | undefined): BlockSummer<PairSums> {
  const kernels = loadSimd();
  const { memory } = kernels;
  const plane = (at: number) => memory.subarray(at, at + ROWS * COLS);
  const [hi, lo, magnitude] = [layout.sums.hi, layout.sums.lo, layout.sums.magnitude].map(plane);
  const inOnePiece = productsAreExact(operands) ? 'exactProducts' : 'splitProducts';

  return {
    rows: ROWS,
    cols: COLS,
    sum(block) {
      const within = window !== undefined && fits(window, block) ? window : undefined;
      const cuts = within && sliceCuts(within, operands, block);
      const kernel = cuts ? 'sliced' : within ? 'anchored' : inOnePiece;
      const rowPairs = Math.ceil((block.i1 - block.i0) / TILE_ROWS);
      const panels = Math.ceil((block.j1 - block.j0) / TILE_COLS);
      kernels.cutRows = undefined;
      for (const sums of [hi, lo, magnitude]) sums.fill(0, 0, rowPairs * TILE_ROWS * COLS);
      if (within && kernel === 'anchored') addAnchors(hi, within, block, 1);
      for (const terms of splitTerms(operands)) {
        packA(memory, operands, block, terms);
        packB(memory, operands, block, terms);
        if (cuts) slicePanels(memory, cuts, terms);
        if (kernel === 'splitProducts') splitUpperHalves(memory, block, terms);
        kernels[kernel](rowPairs, panels, terms.t1 - terms.t0);
      }
      if (within && kernel === 'anchored') addAnchors(hi, within, block, -1);
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

/** Adds to each entry its anchor, times `sign`. */
function addAnchors(
  hi: Float64Array,
  { rowAnchor, colAnchor }: AnchorWindow,
  { i0, i1, j0, j1 }: ResultBlock,
  sign: number,
): void {
  for (let i = i0; i < i1; i++) {
    const anchor = sign * rowAnchor[i];
    const from = (i - i0) * COLS - j0;
    for (let j = j0; j < j1; j++) hi[from + j] += anchor * colAnchor[j];
  }
}
