import { ALIGNMENT } from '../plan/layout.ts';
import type { BufferName } from '../plan/plan.ts';

/**
 * What each word of C and the workspace holds before anything is written: a quiet NaN no arithmetic produces, as a
 * binary32 number and as the upper half of a binary64 one.
 */
export const POISON = 0x7ff8dead;
/** What the words around C and the workspace hold: a NaN too. */
export const GUARD = 0x7ff8beef;
/** Guard entries on either side: one alignment unit, so that blocks stay aligned. */
export const GUARDS = ALIGNMENT;

/** C and the workspace have guard words before and after. */
export const guardsOf = (name: BufferName): number => (name === 'C' || name === 'W' ? GUARDS : 0);
