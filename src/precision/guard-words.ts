/**
 * What each word of C and the workspace holds before anything is written: a quiet NaN no arithmetic produces, as a
 * binary32 number and as the upper half of a binary64 one.
 */
export const POISON = 0x7ff8dead;
/** What the words around C and the workspace hold: a NaN too. */
export const GUARD = 0x7ff8beef;
/**
 * What the words around A and B hold: a NaN, so that a sum that reads it shows it; not that of the guards around C, for a
 * NaN that is read keeps its payload when it is written.
 */
export const TRAP = 0x7ff8cdcd;
