import { MOST } from '../digits.ts';

/** The largest block of the result that is summed by digits, and the terms that are cut at a time. */
export const ROWS = 256;
export const COLS = 128;
export const DEPTH = 1024;
/** A tile: rows of A, and columns of B, which are packed in panels of this width. */
export const TILE_ROWS = 4;
export const TILE_COLS = 8;
/** The rows of B that are buffered to be cut at a time. */
export const WAITING = 64;

const DIGIT = 2;
const DOUBLE = 8;
const LINE = DOUBLE * COLS;

/** The bytes of one digit of a block's rows, of its columns, and of one of its sums. */
export const PLANE_A = DIGIT * ROWS * DEPTH;
export const PLANE_B = DIGIT * COLS * DEPTH;
export const PLANE_SUMS = DOUBLE * ROWS * COLS;

const B = MOST * PLANE_A;
const SUMS = B + MOST * PLANE_B;
const ENTRIES = SUMS + (2 * MOST - 1) * PLANE_SUMS;
const FACTORS = ENTRIES + WAITING * LINE;

/**
 * The memory of the kernels that sum by digits, in bytes from its start.
 * A: for each digit, from the lowest, rows of {@link DEPTH} digits of 16 bits. B: for each digit, panels of eight columns, one after
 * another: for each two terms, two digits of each column. Sums: for each weight, from the lowest, {@link ROWS} × {@link COLS} doubles.
 * Entries: doubles that wait to be cut, a row of A, or rows of {@link COLS} entries of B.
 * Then lines of {@link COLS} doubles: the factors of columns before they are cut, ones, their units, and a row of the product and of its
 * remainders.
 */
export const digitLayout = {
  a: 0,
  b: B,
  sums: SUMS,
  entries: ENTRIES,
  factors: FACTORS,
  ones: FACTORS + LINE,
  units: FACTORS + 2 * LINE,
  value: FACTORS + 3 * LINE,
  low: FACTORS + 4 * LINE,
} as const;

/** The bytes of the whole memory. */
export const BYTES = FACTORS + 5 * LINE;
