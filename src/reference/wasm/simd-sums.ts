import { type AnchorWindow, takes } from '../anchor-window.ts';
import { upperHalf } from '../double-double.ts';
import { type Operands, productsAreExact } from '../operands.ts';
import type { Block, BlockSummer } from '../sums.ts';
import { COLS, DEPTH, layout, ROWS, TILE_COLS, TILE_ROWS } from './kernels.ts';
import { type Simd, simd } from './memory.ts';

/** Of this many entries of a block, one that the window does not take may be summed alone. */
const FEW = 32;

/**
 * The sums of blocks, by the kernels in WebAssembly.
 * @param window where products are exact: blocks are summed from anchors where it takes nearly all of their entries.
 */
export function simdSums(operands: Operands, window: AnchorWindow | undefined): BlockSummer {
  const kernels = simd();
  const { memory } = kernels;
  const { k } = operands.shape;
  const plane = (at: number) => memory.subarray(at, at + ROWS * COLS);
  const [hi, lo, magnitude] = [layout.sums.hi, layout.sums.lo, layout.sums.magnitude].map(plane);
  const isExact = productsAreExact(operands);

  return {
    rows: ROWS,
    cols: COLS,
    sum(block) {
      const { i0, i1, j0, j1 } = block;
      const anchors = window !== undefined && fits(window, block) ? window : undefined;
      const kernel = anchors ? kernels.anchored : isExact ? kernels.exactProducts : kernels.splitProducts;
      const rowPairs = Math.ceil((i1 - i0) / TILE_ROWS);
      for (const sums of [hi, lo, magnitude]) sums.fill(0, 0, rowPairs * TILE_ROWS * COLS);
      if (anchors !== undefined) addAnchors(hi, anchors, block, 1);
      for (let t0 = 0; t0 < k; t0 += DEPTH) {
        const t1 = Math.min(t0 + DEPTH, k);
        packA(kernels, operands, block, t0, t1, !isExact);
        packB(kernels, operands, block, t0, t1, !isExact);
        kernel(rowPairs, Math.ceil((j1 - j0) / TILE_COLS), t1 - t0);
      }
      if (anchors !== undefined) addAnchors(hi, anchors, block, -1);
      return { stride: COLS, hi, lo, magnitude, window: anchors };
    },
  };
}

/** Whether the window takes nearly all entries of a block. */
function fits(window: AnchorWindow, { i0, i1, j0, j1 }: Block): boolean {
  let left = Math.floor(((i1 - i0) * (j1 - j0)) / FEW);
  for (let i = i0; i < i1; i++) {
    for (let j = j0; j < j1; j++) {
      if (!takes(window, i, j) && left-- === 0) return false;
    }
  }
  return true;
}

/** Adds each entry's anchor, times `sign`, to it. */
function addAnchors(
  hi: Float64Array,
  { rowAnchor, colAnchor }: AnchorWindow,
  { i0, i1, j0, j1 }: Block,
  sign: number,
): void {
  for (let i = i0; i < i1; i++) {
    const anchor = sign * rowAnchor[i];
    const from = (i - i0) * COLS - j0;
    for (let j = j0; j < j1; j++) hi[from + j] += anchor * colAnchor[j];
  }
}

/** Copies entries t0 ≤ t < t1 of the rows of a block; a last pair that lacks a row keeps an old one, for sums that nobody reads. */
function packA(
  { memory }: Simd,
  { shape: { k }, a }: Operands,
  { i0, i1 }: Block,
  t0: number,
  t1: number,
  split: boolean,
): void {
  const count = t1 - t0;
  for (let i = i0; i < i1; i++) {
    const at = (i - i0) * DEPTH;
    memory.set(a.subarray(i * k + t0, i * k + t1), layout.a.whole + at);
    if (split) splitInto(memory, layout.a, at, count);
  }
}

/** Copies entries t0 ≤ t < t1 of the columns of a block as panels; the last one keeps old entries where it lacks columns. */
function packB(
  { memory }: Simd,
  { shape: { n }, b }: Operands,
  { j0, j1 }: Block,
  t0: number,
  t1: number,
  split: boolean,
): void {
  let at = layout.b.whole;
  for (let j = j0; j < j1; j += TILE_COLS) {
    const width = Math.min(TILE_COLS, j1 - j);
    for (let t = t0; t < t1; t++, at += TILE_COLS) {
      const from = t * n + j;
      for (let c = 0; c < width; c++) memory[at + c] = b[from + c];
    }
  }
  if (split) splitInto(memory, layout.b, 0, at - layout.b.whole);
}

/** The upper halves of `count` doubles from `at`, and what they leave. */
function splitInto(
  memory: Float64Array,
  planes: typeof layout.a | typeof layout.b,
  at: number,
  count: number,
): void {
  for (let e = at; e < at + count; e++) {
    const x = memory[planes.whole + e];
    const upper = upperHalf(x);
    memory[planes.upper + e] = upper;
    memory[planes.lower + e] = x - upper;
  }
}
