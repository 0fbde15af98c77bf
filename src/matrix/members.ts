import { createRandom } from '../base/random.ts';
import type { Matrix, RealArray, Shape } from './dense.ts';
import type { EpilogueCall } from './epilogue-call.ts';
import type { Gemm } from './gemm.ts';
import type { CodedOperands } from './operands.ts';

/** The matrices of a batch, one below the other. A or B is a single matrix if all products share it. */
export interface StackedOperands {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly c?: Matrix | undefined;
  /** The coded operands that A and B were decoded from, where known. */
  readonly coded?: CodedOperands | undefined;
  /** The steps of an epilogue with their numbers, if one follows the product. */
  readonly epilogue?: readonly EpilogueCall[] | undefined;
}

/** True if the product reads A and B. */
export const readsFactors = ({ alpha, imaginary, k }: Pick<Gemm, 'alpha' | 'imaginary' | 'k'>): boolean =>
  (alpha !== 0 || (imaginary?.alpha ?? 0) !== 0) && k > 0;

/** Yields the operands of each product of a batch, as views of the stacked ones. */
export function* membersOf<T extends StackedOperands>(operands: T, gemm: Gemm): Generator<T> {
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

/**
 * Returns matrix number `p` of a stack, as a view; the only one if the stack holds one.
 * @param rows rows of each matrix.
 */
export function memberOf(stack: Matrix, rows: number, p: number): Matrix {
  if (stack.rows <= rows) return stack;
  const size = rows * stack.cols;
  return { rows, cols: stack.cols, data: stack.data.subarray(p * size, (p + 1) * size) };
}

/** Stacks m×n matrices of a batch one below the other. */
export function stackRows(parts: readonly Matrix[], { m, n }: Pick<Gemm, 'm' | 'n'>): Matrix {
  if (parts.length === 1) return parts[0];
  const size = m * n;
  const isWide = parts[0]?.data instanceof Float64Array;
  const data = isWide ? new Float64Array(parts.length * size) : new Float32Array(parts.length * size);
  parts.forEach((part, p) => {
    data.set(part.data, p * size);
  });
  return { rows: parts.length * m, cols: n, data };
}

/** Joins the entries of matrices, one matrix behind the other. */
export function joinEntries(parts: readonly RealArray[]): RealArray {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = parts[0] instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Cuts joined entries into those of each matrix, as views. */
export function cutEntries(
  all: RealArray,
  shapes: readonly Shape[],
  lengthOf: (shape: Shape) => number,
): RealArray[] {
  let end = 0;
  return shapes.map((shape) => {
    const from = end;
    end += lengthOf(shape);
    return all.subarray(from, end);
  });
}

/** Most addresses of a list. */
export const MOST_ADDRESSES = 4096;
/** A stream that no family draws from; each matrix has the one behind that of the matrix before. */
const STREAM = 3200;
/** One in this many operands is that of an earlier product. */
const SHARED = 4;
/** Most entries between two matrices in memory. */
const BETWEEN = 9;

/**
 * Draws the addresses of the matrices of a batch: in any order in memory, with gaps of unequal lengths. Some of A and B are shared by
 * products; seed and batch alone decide which.
 * @param length entries that a matrix takes.
 */
export function drawAddresses(
  { seed, batch }: { readonly seed: number; readonly batch: number },
  name: 'a' | 'b' | 'c' | 'd',
  length: number,
  offset: number,
): readonly number[] {
  const random = createRandom(seed, STREAM + ['a', 'b', 'c', 'd'].indexOf(name));
  const isShared = (p: number) => p > 0 && (name === 'a' || name === 'b') && random.int(1, SHARED) === 1;
  const sources = Array.from({ length: batch }, (_, p) => (isShared(p) ? random.int(0, p - 1) : p));
  const addresses: number[] = [];
  let at = offset;
  for (const p of random.permutation(batch)) {
    at += random.int(1, BETWEEN);
    addresses[p] = at;
    at += length;
  }
  sources.forEach((source, p) => {
    addresses[p] = addresses[source];
  });
  return addresses;
}
