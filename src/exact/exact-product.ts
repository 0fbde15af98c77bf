import type { Matrix } from '../matrix/dense.ts';
import type { Certificate } from './certificate.ts';

/** The exact product of A (m×k) and B (k×n), in about 106 bits, with the proof of how it was obtained. */
export interface ExactProduct {
  /**
   * m×n: each entry the exact inner product rounded to binary64, to nearest, ties to even, beyond the largest
   * double to ±Infinity. An exact zero is +0; a nonzero one that rounds to zero keeps its sign. Where an
   * operand is NaN or infinite: the IEEE 754 answer.
   */
  readonly product: Matrix<Float64Array>;
  /**
   * m×n row-major, exact − product: of abs at most half a unit in the last place of the product. Where a double-double sum
   * decided, off by at most the certificate's `worstAbsolute`; else correctly rounded, so off by at most 2^-53·abs(low), or 2^-1075
   * where that is larger, and exact where two doubles hold the sum. 0 where the product is not finite.
   */
  readonly low: Float64Array;
  readonly certificate: Certificate;
}
