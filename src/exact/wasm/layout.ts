/** The largest block of the result, and the terms that are added between loading and storing its sums. */
export const ROWS = 128;
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
