import { wild } from '../../inputs/wild/wild.ts';
import type { Precision } from '../../precision/precision.ts';

/**
 * Returns the reason for which a precision has no programs, as a clause; undefined where it has. The numbers of programs are no larger
 * than those of `wild` inputs.
 */
export function whyNoPrograms(precision: Precision): string | undefined {
  const found = wild.accepts({ m: 1, k: 1, n: 1, precision });
  return found.ok ? undefined : found.reason;
}

/**
 * Number of consecutive seeds, from a multiple of it on, whose programs together have all routines: each continues where the last may end.
 */
export const TOGETHER = 8;
