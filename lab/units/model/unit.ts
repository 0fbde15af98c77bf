import type { Item } from '../../../src/base/registry.ts';
import type { RealArray, Shape } from '../../../src/matrix/dense.ts';
import type { Format } from '../../../src/precision/format.ts';
import type { BlockAdder } from './block-adder.ts';

/** A matrix unit of a processor, bit for bit. */
export interface MatrixUnit extends Item {
  /** The formats of its operands. Numbers outside of these formats are not rounded first, except in tf32, where they are truncated. */
  readonly a: Format;
  readonly b: Format;
  /** The format of C and of results. */
  readonly result: Format;
  /** The adder of a unit that adds several products at once. */
  readonly adder?: BlockAdder;
  /**
   * Computes D = A·B + C by the unit, in the order of k. A is m×k, B k×n, C and D m×n, all row-major and dense. Any NaN stands
   * for all. Cost: 3 to 10 ns a product.
   * @param c the start of sums. @defaultValue zeros
   * @returns binary32 numbers, or doubles if results are integers
   */
  multiply(a: RealArray, b: RealArray, c: RealArray | undefined, shape: Shape): RealArray;
}
