/** Seeds one after the other, from a multiple of so many on, whose programs together have all routines: each goes on where the last may end. */
export const TOGETHER = 8;
