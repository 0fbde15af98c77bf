import type { Matrix } from '../matrix/dense.ts';
import type { Certificate } from './certificate.ts';
import type { ProductMagnitudes } from './magnitudes.ts';

/** Returns memory for so many numbers. */
export type Lend = (entries: number) => Float64Array;

/** The exact product of A (m×k) and B (k×n), in about 106 bits, with its certificate. */
export interface ExactProduct {
  /**
   * m×n: each entry is the exact inner product rounded to binary64, to nearest, ties to even, or ±Infinity beyond the largest double. An
   * exact zero is +0; a nonzero one that rounds to zero keeps its sign. If an operand is NaN or infinite, it is the IEEE 754 answer.
   */
  readonly product: Matrix<Float64Array>;
  /**
   * m×n row-major, exact − product: at most half a unit in the last place of the product in magnitude. If a double-double sum decided,
   * its error is at most the certificate's `worstAbsolute`. Otherwise it is correctly rounded: its error is at most 2^-53·abs(low), or
   * 2^-1075 if that is larger, and 0 if two doubles hold the sum. It is 0 if the product is not finite.
   */
  readonly low: Float64Array;
  readonly certificate: Certificate;
  /** The magnitudes of each entry's terms, where they were requested and computed with the product. */
  readonly magnitudes?: ProductMagnitudes | undefined;
  /** Returns memory for facts on the entries, with arbitrary contents, where the arrays of the product are lent, too. */
  readonly lend?: Lend | undefined;
}
