import { joinNumbers, mapNumbers } from '../base/numbers.ts';
import { operandSize } from '../exact/sizes.ts';
import type { Matrix, RealArray } from '../matrix/dense.ts';
import { panelsOf, type Rows } from '../matrix/row-reader.ts';
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
  x: Rows,
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
  for (const { from, panel } of panelsOf(x, PANEL)) {
    const { data } = panel;
    const at = from * blocks;
    largest = Math.max(largest, sumBlocks(data, grid, { plain, most, squares }, at));
    if (rounded === undefined) continue;
    const none = new Float64Array(data.length);
    const own = operandBounds(data, none, operandError);
    exact &&= own.exact;
    largest = Math.max(largest, own.largest);
    addBlocks(own.size, grid, rounded.size, at);
    addBlocks(own.error, grid, rounded.error, at);
    const squared = mapNumbers(data, (entry) => entry * entry);
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

/** Joins operands whose rows follow one another. */
export function joinOperands(parts: readonly BlockedOperand[]): BlockedOperand {
  if (parts.length === 1) return parts[0];
  type Sums = 'plain' | 'most' | 'squares' | 'size' | 'value' | 'error' | 'variances' | 'lost';
  const joined = (name: Sums) =>
    joinNumbers(parts.map((part) => part[name] ?? new Float64Array(part.plain.length)));
  const own = (name: 'variances' | 'lost') =>
    parts.some((part) => part[name] !== undefined) ? joined(name) : undefined;
  return {
    blocks: parts[0].blocks,
    exact: parts.every(({ exact }) => exact),
    largest: Math.max(...parts.map(({ largest }) => largest)),
    ...{ plain: joined('plain'), most: joined('most'), squares: joined('squares') },
    ...{ size: joined('size'), value: joined('value'), error: joined('error') },
    ...{ variances: own('variances'), lost: own('lost') },
  };
}

const finiteSize = (x: number): number => (Number.isFinite(x) ? Math.abs(x) : 0);

/** Writes the sums of magnitudes and squares of each block of whole rows, and the largest, from `at` on. @returns the largest finite one */
function sumBlocks(
  data: RealArray,
  { width, cols }: Grid,
  {
    plain,
    most,
    squares,
  }: Pick<BlockedOperand, 'plain' | 'squares'> & { readonly most?: Float64Array | undefined },
  at: number,
): number {
  let largest = 0;
  for (let row = 0; row < data.length; row += cols) {
    for (let first = row; first < row + cols; first += width, at++) {
      const end = Math.min(row + cols, first + width);
      let sum = 0;
      let square = 0;
      let top = 0;
      for (let e = first; e < end; e++) {
        const size = Math.abs(data[e]);
        sum += size;
        square += size * size;
        if (size > top) top = size;
      }
      if (top < Infinity) largest = Math.max(largest, top);
      else for (let e = first; e < end; e++) largest = Math.max(largest, finiteSize(data[e]));
      plain[at] = sum;
      squares[at] = square;
      if (most !== undefined) most[at] = top;
    }
  }
  return largest;
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
