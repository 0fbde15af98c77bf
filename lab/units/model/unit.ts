import type { Item } from '../../../src/base/registry.ts';
import type { Real, Shape } from '../../../src/matrix/dense.ts';
import type { Format } from '../../../src/precision/format.ts';
import type { BlockAdder } from './block-adder.ts';

/** A matrix unit of a processor, bit for bit. */
export interface MatrixUnit extends Item {
  /** The formats of what it multiplies. Numbers that are none of theirs are not rounded first, but for those of tf32, which are cut off. */
  readonly a: Format;
  readonly b: Format;
  /** The format of C and of results. */
  readonly result: Format;
  /** How its sums are added, of a unit that adds several at once. */
  readonly adder?: BlockAdder;
  /**
   * D = A·B + C by the unit, in the order of k: A is m×k, B k×n, C and D m×n, all row-major and dense. Every NaN stands for any.
   * Cost: 3 to 10 ns a product.
   * @param c what sums begin with; zeros where it is left out.
   * @returns binary32 numbers, or doubles where results are integers.
   */
  multiply(a: Real, b: Real, c: Real | undefined, shape: Shape): Real;
}
