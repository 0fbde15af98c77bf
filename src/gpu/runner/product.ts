import { ParanoiaError } from '../../base/errors.ts';
import type { Matrix } from '../../matrix/dense.ts';

/** The result of a product, and the changes it made to guarded memory. */
export interface Product {
  /** C, m×n, in binary32 or, for wider precisions, in doubles. Entries never written on a device hold `POISON`: NaN. */
  readonly c: Matrix;
  /** Entries of C that were never written. */
  readonly unwritten: number;
  /** Guard words around C and the workspace that were overwritten. */
  readonly overwritten: number;
  /** Entries of A or B that were overwritten; absent if these were too large to be read back. */
  readonly changed?: number | undefined;
  /**
   * Wall-clock seconds from the first submission until the device was done, without transfers. Absent if this thread did other work
   * meanwhile, and so did not see the end.
   */
  readonly seconds?: number | undefined;
}

/** The outcome of a job: its product, or the error that says why there is none and who is at fault. */
export type ProductOutcome = Product | ParanoiaError;

/** Returns the product of an outcome. @throws ParanoiaError if there is none. */
export function requireProduct(outcome: ProductOutcome): Product {
  if (outcome instanceof ParanoiaError) throw outcome;
  return outcome;
}
