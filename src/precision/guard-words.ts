/**
 * The initial value of each word of C and the workspace: a quiet NaN that no arithmetic produces, as a binary32 number and as the upper
 * half of a binary64 one.
 */
export const POISON = 0x7ff8dead;
/** The words around C and the workspace: a NaN too. */
export const GUARD = 0x7ff8beef;
/**
 * The words around A and B: a NaN, so that a sum that reads it shows it. It differs from the guards around C, since a NaN that is read
 * keeps its payload when it is written.
 */
export const TRAP = 0x7ff8cdcd;
