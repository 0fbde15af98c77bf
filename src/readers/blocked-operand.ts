import type { Matrix } from '../matrix/dense.ts';
import type { OperandError } from '../precision/device-errors.ts';
import { type OperandBounds, operandBounds } from './bound.ts';
import { roundedVariances } from './sigma.ts';

/** An operand of a product, its rows summed in blocks of so many entries: rows×blocks. */
export interface BlockedOperand extends OperandBounds {
  readonly blocks: number;
  /** Of the magnitudes of entries: sums, the largest, and sums of squares; and of the variances that rounding them has. */
  readonly plain: Float64Array;
  readonly most: Float64Array;
  readonly squares: Float64Array;
  readonly variances: Float64Array;
  /** Entries above zero less those below. */
  readonly signs: Float64Array;
  /** Of each block the sum of all of its magnitudes, in all rows. */
  readonly columns: Float64Array;
}

/** Rows that are read at once. */
const PANEL = 64;

/** The sums of an operand's rows in blocks of `width`. */
export function blockedOperand(
  x: Matrix,
  width: number,
  operandError: OperandError | undefined,
): BlockedOperand {
  const blocks = Math.ceil(x.cols / width);
  const make = () => new Float64Array(x.rows * blocks);
  const sums = { size: make(), value: make(), error: make(), plain: make(), most: make() };
  const [squares, variances, signs, columns] = [make(), make(), make(), new Float64Array(blocks)];
  let [exact, largest] = [true, 0];
  for (let from = 0; from < x.rows; from += PANEL) {
    const data = x.data.subarray(from * x.cols, Math.min(from + PANEL, x.rows) * x.cols);
    const own = operandBounds(data, new Float64Array(data.length), operandError);
    const squared = Float64Array.from(data, (entry) => entry * entry);
    const varied = roundedVariances(data, new Float64Array(data.length), squared, operandError);
    exact &&= own.exact;
    largest = Math.max(largest, own.largest);
    for (let e = 0, row = from; e < data.length; row++) {
      for (let j = 0; j < x.cols; j++, e++) {
        const block = Math.floor(j / width);
        const at = row * blocks + block;
        const size = Math.abs(data[e]);
        sums.size[at] += own.size[e];
        sums.value[at] += own.value[e];
        sums.error[at] += own.error[e];
        sums.plain[at] += size;
        if (size > sums.most[at]) sums.most[at] = size;
        squares[at] += squared[e];
        variances[at] += varied[e];
        signs[at] += Math.sign(data[e]);
        columns[block] += size;
      }
    }
  }
  return { ...sums, squares, variances, signs, columns, blocks, exact, largest };
}
