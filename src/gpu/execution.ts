import type { Matrix } from '../matrix/dense.ts';

/** What a product left on the device. */
export interface Execution {
  /** C, m×n, in binary32 or, for wider precisions, in doubles. Entries nobody wrote hold `POISON`: NaN. */
  readonly c: Matrix;
  /** Entries of C that were never written. */
  readonly unwritten: number;
  /** Guard words around C and the workspace that were overwritten. */
  readonly guardsTouched: number;
  /** Entries of A or B that were overwritten; undefined where they were too large to be read back. */
  readonly operandsChanged: number | undefined;
  /**
   * Wall-clock seconds from the first submission until the device was done, without transfers; undefined where this
   * thread did something else meanwhile, and so did not see the end.
   */
  readonly seconds: number | undefined;
}
