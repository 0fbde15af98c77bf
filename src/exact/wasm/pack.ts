/** Functions that copy parts of the operands to where the kernels read them: see {@link layout}. */
import { upperHalf } from '../double-double.ts';
import type { ExactOperands } from '../operands.ts';
import type { ResultBlock } from '../sums.ts';

/** Terms t0 ≤ t < t1 of the inner products. */
export interface TermRange {
  readonly t0: number;
  readonly t1: number;
}

/** Returns all terms, in runs that fit the memory. */
export function splitTerms({ shape: { k } }: ExactOperands): TermRange[] {
  return Array.from({ length: Math.ceil(k / DEPTH) }, (_, piece) => ({
    t0: piece * DEPTH,
    t1: Math.min((piece + 1) * DEPTH, k),
  }));
}

/** Packs the rows of a block. A last pair that lacks a row keeps an old one, whose sums are never read. */
export function packA(
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
export function packB(
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
export function slicePanels(memory: Float64Array, cuts: Float64Array, { t0, t1 }: TermRange): void {
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
export function splitUpperHalves(
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
export const ROWS = 256;
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
