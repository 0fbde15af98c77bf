import type { Real, Shape } from '../../matrix/dense.ts';

/** What the mirror computes with: the numbers of a precision, each stored as one number of a typed array. */
export interface Scalars {
  create(length: number): Real;
  /** From a number to what is stored for it; absent where that is the number itself. */
  readonly encode?: (x: number) => number;
  /** From what is stored to the number, rounded to double where it has more bits. */
  readonly decode?: (stored: number) => number;
  negate(a: number): number;
  add(a: number, b: number): number;
  /**
   * The leaf product as every leaf kernel computes it: out = x·y, each entry summed sequentially over k from zero.
   * x is m×k, y is k×n, out is m×n, all row-major.
   */
  multiply(x: Real, y: Real, shape: Shape, out: Real): void;
}
