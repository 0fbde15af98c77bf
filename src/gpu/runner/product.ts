import { ParanoiaError } from '../../base/errors.ts';
import type { Matrix } from '../../matrix/dense.ts';

/** What a product left. */
export interface Product {
  /** C, m×n, in binary32 or, for wider precisions, in doubles. Entries nobody wrote on a device hold `POISON`: NaN. */
  readonly c: Matrix;
  /** Entries of C that were never written. */
  readonly unwritten: number;
  /** Guard words around C and the workspace that were overwritten. */
  readonly overwritten: number;
  /** Entries of A or B that were overwritten; left out where they were too large to be read back. */
  readonly changed?: number | undefined;
  /**
   * Wall-clock seconds from the first submission until the device was done, without transfers; left out where this
   * thread did something else meanwhile, and so did not see the end.
   */
  readonly seconds?: number | undefined;
}

/** What came of a product: what it left, or why there is none and whom that blames. */
export type Outcome = Product | ParanoiaError;

/** What a product left. @throws ParanoiaError where there is none. */
export function productOf(outcome: Outcome): Product {
  if (outcome instanceof ParanoiaError) throw outcome;
  return outcome;
}
