import { wild } from '../../inputs/wild/wild.ts';
import type { Precision } from '../../precision/precision.ts';

/** Why no program can be asked for in a precision, as a clause; undefined where one can: its numbers are no larger than wild ones. */
export function unfit(precision: Precision): string | undefined {
  const found = wild.accepts({ m: 1, k: 1, n: 1, precision });
  return found.ok ? undefined : found.reason;
}
