import { type Gemm, stepsOf } from '../../src/matrix/gemm.ts';
import type { Operand } from '../../src/precision/coding/coding.ts';
import { f32 } from '../../src/precision/format.ts';
import type { OperandFactors } from '../../src/precision/operand-memory.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { productsOf, type SumFunction, sumsIn } from './sums.ts';

/** Kernels of coded operands, implemented independently of the decoding elsewhere. */

/** A line of an operand: its elements, their zero points, and the factors of each element, from the smallest blocks to the largest. */
export interface CodedLine {
  readonly raw: Float64Array;
  readonly zeros: Float64Array;
  readonly factors: readonly Float64Array[];
}

/** Computes an entry of the product from a line of A and one of B. */
export type EntryFunction = (x: CodedLine, y: CodedLine, sum: SumFunction) => number;

const single = Math.fround;
const last = <T>(list: readonly T[]): T => list[list.length - 1];

/** Multiplies by factors one after the other, rounding each time. */
const times = (x: number, factors: readonly number[]): number =>
  factors.reduce((product, factor) => single(product * factor), x);
const at = ({ factors }: CodedLine, q: number): number[] => factors.map((own) => own[q]);

/** Splits a line into runs along k with constant factors and zero points. Yields the sum of each run, and its start. */
function* runsOf(
  x: CodedLine,
  y: CodedLine,
  inRun: Run,
  sum: SumFunction,
): Generator<readonly [sum: number, from: number]> {
  const k = x.raw.length;
  const lists = [...x.factors, ...y.factors, x.zeros, y.zeros];
  const isOne = (p: number, q: number) => lists.every((own) => Object.is(own[p], own[q]));
  for (let from = 0, to = 0; from < k; from = to) {
    for (to = from + 1; to < k && isOne(from, to); ) to++;
    const raw = [x, y].map((line) => line.raw.subarray(from, to));
    yield [inRun(raw[0], raw[1], x.zeros[from], y.zeros[from], sum), from];
  }
}

/** Sums a run of elements relative to their zero points. */
type Run = (x: Float64Array, y: Float64Array, zx: number, zy: number, sum: SumFunction) => number;

const zerosFirst: Run = (x, y, zx, zy, sum) => sum(x.map((one, q) => (one - zx) * (y[q] - zy)));

/** Σxy − zΣy − wΣx + kzw, each rounded. */
const zerosLast: Run = (x, y, zx, zy, sum) => {
  const less = single(single(sum(productsOf(x, y)) - single(zx * sum(y))) - single(zy * sum(x)));
  return single(less + single(single(x.length * zx) * zy));
};

/** Adds the sums of runs, each multiplied by its factors in some way. */
const byRuns =
  (
    scaled: (sum: number, x: readonly number[], y: readonly number[]) => number,
    inRun = zerosFirst,
  ): EntryFunction =>
  (x, y, sum) => {
    const parts = [...runsOf(x, y, inRun, sum)].map(([part, from]) => scaled(part, at(x, from), at(y, from)));
    return sumsIn(f32).sequential(Float64Array.from(parts));
  };

/** Decodes the numbers of a line. */
export const decodeLine = ({ raw, zeros, factors }: CodedLine): Float64Array =>
  raw.map((element, q) =>
    times(
      element - zeros[q],
      factors.map((own) => own[q]),
    ),
  );

const inTurn: EntryFunction = byRuns((sum, x, y) => times(times(sum, x), y));

/** Methods of computing an entry without decoding numbers first. */
export const codedEntries: Readonly<Record<string, EntryFunction>> = {
  'factors-multiplied': byRuns((sum, x, y) => single(sum * times(times(1, x), y))),
  'factors-in-turn': inTurn,
  'factors-exactly': byRuns((sum, x, y) => single([...x, ...y].reduce((all, one) => all * one, sum))),
  // Factors of the largest blocks are constant along k.
  'largest-last': (x, y, sum) => {
    const isWhole = [x, y].every(({ factors }) => factors.length > 1);
    if (!isWhole) return inTurn(x, y, sum);
    const inner = byRuns((part, left, right) => single(part * single(left[0] * right[0])));
    return single(inner(x, y, sum) * single(last(x.factors)[0] * last(y.factors)[0]));
  },
  'zeros-last': byRuns((sum, x, y) => single(sum * times(times(1, x), y)), zerosLast),
};

/** Reads the lines of an operand, for product p of a batch, from memory. */
export function linesOf(
  of: Operand,
  elements: ArrayLike<number>,
  gemm: Gemm,
  p: number,
  coded: NonNullable<Precision['coded']>,
  factors: OperandFactors,
): CodedLine[] {
  const { k, [of]: laid } = gemm;
  const { scales = [] } = coded[of] ?? {};
  const { scales: lists = [], zeros } = factors[of] ?? {};
  const lines = of === 'a' ? gemm.m : gemm.n;
  const { row, col } = stepsOf(laid);
  const [across, along] = of === 'a' ? [row, col] : [col, row];
  const own = (list: ArrayLike<number>, level: number, line: number, q: number) => {
    const { lines: height, entries: width } = scales[level];
    const cols = Math.ceil(k / Math.min(width, k));
    const member = laid.stride === 0 ? 0 : p * Math.ceil(lines / Math.min(height, lines)) * cols;
    return list[member + Math.floor(line / height) * cols + Math.floor(q / width)];
  };
  const every = (value: (q: number) => number) => Float64Array.from({ length: k }, (_, q) => value(q));
  return Array.from({ length: lines }, (_, line) => ({
    raw: every((q) => elements[laid.offset + p * laid.stride + line * across + q * along]),
    zeros: every((q) => (zeros === undefined ? 0 : own(zeros, 0, line, q))),
    factors: lists.map((list, level) => every((q) => own(list, level, line, q))),
  }));
}
