import { extentsOf, type Gemm, type MatrixLayout, readsAddend, stepsOf } from '../../src/matrix/gemm.ts';
import { readsFactors } from '../../src/matrix/members.ts';
import { allocateEntries, type Entries } from '../../src/matrix/operands.ts';
import type { OperandFactors } from '../../src/precision/operand-memory.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { type CodedLine, decodeLine, type EntryFunction, linesOf } from './codes.ts';
import type { DoubleMatrix } from './recursion.ts';
import type { SumFunction } from './sums.ts';

/** A matrix after op: its real parts, and its imaginary ones where it has any. */
export type ComplexBlock = readonly [re: DoubleMatrix, im?: DoubleMatrix];

/** Multiplies two matrices; sums begin with `start` if it is given. */
export type BlockMultiply = (a: ComplexBlock, b: ComplexBlock, start?: ComplexBlock) => ComplexBlock;

/** Options of computing D from op(A)·op(B) in a precision. */
export interface HonestProductOptions {
  readonly core: BlockMultiply;
  /** True if entries of the smaller operand are multiplied by alpha, instead of sums. */
  readonly alphaFirst?: boolean | undefined;
  /** True if sums begin with beta·C. */
  readonly betaFirst?: boolean | undefined;
  /** Converts an entry of A or B to a factor, and a sum to an entry of D. */
  readonly operand: (x: number) => number;
  readonly result: (x: number) => number;
  /** Computes an entry from elements and factors that are not multiplied first. */
  readonly entry?: { readonly of: EntryFunction; readonly sum: SumFunction } | undefined;
}

/** Computes D = alpha·op(A)·op(B) + beta·C in memory, independently of the bit-exact model. */
export function multiplyInMemory(precision: Precision, making: HonestProductOptions) {
  const { d: stored, accumulated, complex = false } = precision;
  const width = complex ? 2 : 1;
  const round = roundOf(accumulated);
  return (
    a: Entries,
    b: Entries,
    gemm: Gemm,
    c: Entries,
    d: Entries,
    factors: OperandFactors = {},
  ): Entries => {
    const { m, k, n, imaginary } = gemm;
    const extents = extentsOf(gemm);
    const alpha = [gemm.alpha, imaginary?.alpha ?? 0] as const;
    const read = (from: Entries, of: 'a' | 'b' | 'c', p: number) =>
      partsAt(from, gemm[of], extents[of], p, complex);
    const operands = (p: number): [ComplexBlock, ComplexBlock] => {
      const { coded } = precision;
      if (coded === undefined)
        return [mapped(read(a, 'a', p), making.operand), mapped(read(b, 'b', p), making.operand)];
      const [x, y] = [linesOf('a', a, gemm, p, coded, factors), linesOf('b', b, gemm, p, coded, factors)];
      return [[blockOf(x.map(decodeLine), m, k)], [transposeBlock(blockOf(y.map(decodeLine), n, k))]];
    };
    const productOf = (p: number, start?: ComplexBlock): ComplexBlock => {
      if (!readsFactors(gemm)) return start ?? zeros(m, n, complex);
      const { coded } = precision;
      if (making.entry !== undefined && coded !== undefined) {
        const { of, sum } = making.entry;
        const [x, y] = [linesOf('a', a, gemm, p, coded, factors), linesOf('b', b, gemm, p, coded, factors)];
        return scaled([entriesOf(x, y, (left, right) => round(of(left, right, sum)))], alpha, round);
      }
      const [left, right] = operands(p);
      if (!making.alphaFirst) return scaled(making.core(left, right, start), alpha, round);
      const isLeft = m <= n;
      return making.core(
        isLeft ? scaled(left, alpha, round) : left,
        isLeft ? right : scaled(right, alpha, round),
        start,
      );
    };
    const count = gemm.batch;
    for (let p = 0; p < count; p++) {
      const beta = [gemm.beta, imaginary?.beta ?? 0] as const;
      const held = readsAddend(gemm) ? scaled(read(c, 'c', p), beta, round) : undefined;
      // Sums that begin with beta·C are not multiplied by alpha.
      const isStart = making.betaFirst === true;
      const product = productOf(p, isStart ? held : undefined);
      const whole = held === undefined || isStart ? product : added(product, held, round);
      const { row, col } = stepsOf(gemm.d);
      const from = gemm.d.offset + p * gemm.d.stride;
      whole.forEach((part, at) => {
        part?.data.forEach((x, e) => {
          const place = from + Math.floor(e / n) * row + (e % n) * col;
          d[width * place + at] = making.result(x);
        });
      });
    }
    return d.length === 0 ? allocateEntries(stored, 0) : d;
  };
}

/** Returns the rounding to the format of sums. Exact formats keep whole numbers, and turn −0 into 0. */
export const roundOf = ({ round, unitRoundoff }: Precision['accumulated']): ((x: number) => number) =>
  unitRoundoff === 0 ? (x) => x + 0 : round;

export const blockOf = (lines: readonly Float64Array[], rows: number, cols: number): DoubleMatrix => {
  const data = new Float64Array(rows * cols);
  for (const [at, line] of lines.entries()) data.set(line, at * cols);
  return { rows, cols, data };
};

export const transposeBlock = ({ rows, cols, data }: DoubleMatrix): DoubleMatrix => ({
  ...{ rows: cols, cols: rows },
  data: Float64Array.from(data, (_, e) => data[(e % rows) * cols + Math.floor(e / rows)]),
});

const zeros = (rows: number, cols: number, complex: boolean): ComplexBlock => {
  const part = () => ({ rows, cols, data: new Float64Array(rows * cols) });
  return complex ? [part(), part()] : [part()];
};

const both = (of: ComplexBlock, change: (part: DoubleMatrix, at: number) => DoubleMatrix): ComplexBlock => {
  const [re, im] = of;
  return im === undefined ? [change(re, 0)] : [change(re, 0), change(im, 1)];
};

const mapped = (of: ComplexBlock, change: (x: number) => number): ComplexBlock =>
  both(of, (part) => ({ ...part, data: part.data.map(change) }));

const added = (x: ComplexBlock, y: ComplexBlock, round: (x: number) => number): ComplexBlock =>
  both(x, (part, at) => ({
    ...part,
    data: part.data.map((value, e) => round(value + (y[at] as DoubleMatrix).data[e])),
  }));

/** Multiplies a matrix by a factor, rounding each product and each sum. */
function scaled(
  of: ComplexBlock,
  [re, im]: readonly [number, number],
  round: (x: number) => number,
): ComplexBlock {
  if (im === 0) return re === 1 ? of : mapped(of, (x) => round(re * x));
  const [x, y] = of as readonly [DoubleMatrix, DoubleMatrix];
  const times = (by: number, part: DoubleMatrix) =>
    mapped([part], (value) => (by === 0 ? 0 : round(by * value)));
  const [real] = added(times(re, x), times(-im, y), round);
  const [imaginary] = added(times(re, y), times(im, x), round);
  return [real, imaginary];
}

/** Reads a matrix from memory, with op applied. */
function partsAt(
  from: Entries,
  laid: MatrixLayout,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  p: number,
  complex: boolean,
): ComplexBlock {
  const { row, col } = stepsOf(laid);
  const first = laid.offset + p * laid.stride;
  const part = (at: number, width: number, sign: number): DoubleMatrix => {
    const data = new Float64Array(rows * cols);
    for (let i = 0, e = 0; i < rows; i++)
      for (let j = 0; j < cols; j++, e++) data[e] = sign * from[width * (first + i * row + j * col) + at];
    return { rows, cols, data };
  };
  return complex ? [part(0, 2, 1), part(1, 2, laid.op === 'c' ? -1 : 1)] : [part(0, 1, 1)];
}

function entriesOf(
  x: readonly CodedLine[],
  y: readonly CodedLine[],
  entry: (x: CodedLine, y: CodedLine) => number,
): DoubleMatrix {
  const data = new Float64Array(x.length * y.length);
  x.forEach((left, i) => {
    y.forEach((right, j) => {
      data[i * y.length + j] = entry(left, right);
    });
  });
  return { rows: x.length, cols: y.length, data };
}
