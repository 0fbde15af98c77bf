/** The largest block of a product that is computed at once: rows, terms and columns. */
export const ROWS = 64;
export const DEPTH = 256;
export const COLS = 128;

/** The rows of the result that a kernel keeps in registers, and their width in vectors. */
export const TILE = { rows: 4, vectors: 2 } as const;

/** The bytes of a vector. */
export const VECTOR = 16;

/** The entries from one row of B, and of the result, to the next. A power of two would use only few lines of a cache. */
export const LINE = COLS + 16;

/** The places of the matrices in the memory, in entries of any type. */
export const places = { a: 0, b: ROWS * DEPTH, out: ROWS * DEPTH + DEPTH * LINE } as const;

/** The entries of the whole memory. */
export const SIZE = places.out + ROWS * LINE;
