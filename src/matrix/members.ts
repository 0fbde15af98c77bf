import type { CodedOperands } from './coded.ts';
import type { Matrix } from './dense.ts';
import type { Gemm } from './gemm.ts';

/** Matrices of a batch, one below the other; A and B are there once where all products take the same one. */
export interface Stacked {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c?: Matrix | undefined;
  /** What the numbers of A and B were decoded from, where that is known. */
  readonly coded?: CodedOperands | undefined;
}

/** Whether A and B are read at all. */
export const readsFactors = ({ alpha, imaginary, k }: Pick<Gemm, 'alpha' | 'imaginary' | 'k'>): boolean =>
  (alpha !== 0 || (imaginary?.alpha ?? 0) !== 0) && k > 0;

/** The operands of each product of a batch: views of those of all. */
export function* membersOf<T extends Stacked>(operands: T, gemm: Gemm): Generator<T> {
  const { m, k, batch } = gemm;
  if (batch === 1) {
    yield operands;
    return;
  }
  const { a, b, c } = operands;
  for (let p = 0; p < batch; p++) {
    yield {
      ...operands,
      a: memberOf(a, m, p),
      b: memberOf(b, k, p),
      ...(c === undefined ? {} : { c: memberOf(c, m, p) }),
    };
  }
}

/** Matrix number p of so many rows; the only one there is, where there is one. */
export function memberOf(stack: Matrix, rows: number, p: number): Matrix {
  if (stack.rows <= rows) return stack;
  const size = rows * stack.cols;
  return { rows, cols: stack.cols, data: stack.data.subarray(p * size, (p + 1) * size) };
}

/** Matrices of m×n one below the other; those of a batch. */
export function stackedRows(parts: readonly Matrix[], { m, n }: Pick<Gemm, 'm' | 'n'>): Matrix {
  if (parts.length === 1) return parts[0];
  const size = m * n;
  const isWide = parts[0]?.data instanceof Float64Array;
  const data = isWide ? new Float64Array(parts.length * size) : new Float32Array(parts.length * size);
  parts.forEach((part, p) => {
    data.set(part.data, p * size);
  });
  return { rows: parts.length * m, cols: n, data };
}
