/**
 * Number of consecutive seeds, from a multiple of it on, whose programs together have all routines: each continues where the last may end.
 */
export const TOGETHER = 8;
