import { mapNumbers } from '../base/numbers.ts';
import { magnitudes, operandSize } from '../exact/sizes.ts';
import type { Matrix, RealArray } from '../matrix/dense.ts';
import type { OperandError } from '../precision/device-errors.ts';
import { type OperandBounds, operandBounds } from './bound.ts';
import { roundedVariances } from './sigma.ts';

/** An operand of a product with its rows summed in blocks: rows×blocks. */
export interface BlockedOperand extends OperandBounds {
  readonly blocks: number;
  /** The magnitudes of entries: sums, the largest, and sums of squares. */
  readonly plain: Float64Array;
  readonly most: Float64Array;
  readonly squares: Float64Array;
  /** Sums of the variances of rounded entries, where entries are rounded before they are multiplied. */
  readonly variances: Float64Array | undefined;
  /** Sums of the squares of the losses of subnormal entries toward zero, where there are any. */
  readonly lost: Float64Array | undefined;
}

const NONE = new Float64Array(0);

/** Returns an operand that nothing rounds, of a product whose magnitudes are known. */
export const exactOperand = (x: Matrix): BlockedOperand => ({
  ...{ blocks: x.cols, exact: true, largest: operandSize(x).maxAbs, variances: undefined, lost: undefined },
  ...{ plain: NONE, most: NONE, squares: NONE, size: NONE, value: NONE, error: NONE },
});

/** Approximate number of entries that are read at once. */
const PANEL = 2 ** 15;

/** Sums an operand's rows in blocks of `width`. */
export function blockedOperand(
  x: Matrix,
  width: number,
  operandError: OperandError | undefined,
): BlockedOperand {
  const blocks = Math.ceil(x.cols / width);
  const make = () => new Float64Array(x.rows * blocks);
  const [plain, most, squares] = [make(), width === 1 ? undefined : make(), make()];
  const rounded = operandError && { size: make(), value: plain, error: make(), variances: make() };
  const lost = operandError?.lost && make();
  const grid = { width, cols: x.cols, blocks };
  let [exact, largest] = [true, 0];
  const rows = Math.max(1, Math.floor(PANEL / Math.max(1, x.cols)));
  for (let from = 0; from < x.rows; from += rows) {
    const data = x.data.subarray(from * x.cols, Math.min(from + rows, x.rows) * x.cols);
    const sizes = magnitudes(data);
    const at = from * blocks;
    addBlocks(sizes, grid, plain, at);
    if (most !== undefined) largestOfBlocks(sizes, grid, most, at);
    const squared = sizes.map((size) => size * size);
    addBlocks(squared, grid, squares, at);
    for (let e = 0; e < sizes.length; e++) if (sizes[e] > largest && sizes[e] < Infinity) largest = sizes[e];
    if (rounded === undefined) continue;
    const none = new Float64Array(data.length);
    const own = operandBounds(data, none, operandError);
    exact &&= own.exact;
    largest = Math.max(largest, own.largest);
    addBlocks(own.size, grid, rounded.size, at);
    addBlocks(own.error, grid, rounded.error, at);
    addBlocks(roundedVariances(data, none, squared, operandError), grid, rounded.variances, at);
    if (lost !== undefined) addBlocks(lostSquares(data, operandError), grid, lost, at);
  }
  const shared = {
    blocks,
    plain,
    most: most ?? plain,
    squares,
    exact,
    largest,
    lost: lost?.some((q) => q > 0) ? lost : undefined,
  };
  return { ...shared, ...(rounded ?? { size: plain, value: plain, error: plain, variances: undefined }) };
}

const lostSquares = (data: RealArray, { lost }: Pick<OperandError, 'lost'> = {}): Float64Array =>
  mapNumbers(data, (x) => (lost?.(x) ?? 0) ** 2);

interface Grid {
  readonly width: number;
  readonly cols: number;
  readonly blocks: number;
}

/** Adds the entries of each block of whole rows to `out`, from `at` on. */
function addBlocks(
  entries: Float64Array,
  { width, cols, blocks }: Grid,
  out: Float64Array,
  at: number,
): void {
  for (let row = 0; row < entries.length; row += cols) {
    for (let block = 0; block < blocks; block++) {
      const end = row + Math.min(cols, (block + 1) * width);
      let sum = 0;
      for (let e = row + block * width; e < end; e++) sum += entries[e];
      out[at++] += sum;
    }
  }
}

function largestOfBlocks(
  entries: Float64Array,
  { width, cols, blocks }: Grid,
  out: Float64Array,
  at: number,
): void {
  for (let row = 0; row < entries.length; row += cols) {
    for (let block = 0; block < blocks; block++) {
      const end = row + Math.min(cols, (block + 1) * width);
      let most = 0;
      for (let e = row + block * width; e < end; e++) if (entries[e] > most) most = entries[e];
      out[at++] = most;
    }
  }
}
