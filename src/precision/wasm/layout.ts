/** The largest block of a product that is computed at once: rows, terms and columns. */
export const ROWS = 64;
export const DEPTH = 256;
export const COLS = 128;

/** The rows of the result that a kernel keeps in registers, and how many vectors wide. */
export const TILE = { rows: 4, vectors: 2 } as const;

/** Bytes of a vector. */
export const VECTOR = 16;

/** Entries from one row of B, and of the result, to the next: no power of two, which would fill few lines of a cache alone. */
export const LINE = COLS + 16;

/** Where the matrices lie in the memory, in entries, whatever these are. */
export const places = { a: 0, b: ROWS * DEPTH, out: ROWS * DEPTH + DEPTH * LINE } as const;

/** Entries in all. */
export const SIZE = places.out + ROWS * LINE;
