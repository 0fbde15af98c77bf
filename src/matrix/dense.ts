import { badNumber } from '../base/messages.ts';
import { badOperand, shapesDiffer } from './messages.ts';

/** The typed arrays a matrix may be stored in: IEEE binary32 or binary64 entries. */
export type RealArray = Float32Array | Float64Array;

/** A dense rows×cols matrix, row-major and contiguous: entry (i, j) is `data[i * cols + j]`. */
export interface Matrix<T extends RealArray = RealArray> {
  readonly rows: number;
  readonly cols: number;
  readonly data: T;
}

/** The largest dimension: BLAS counts dimensions in signed 32-bit integers. */
export const MAX_DIMENSION = 2 ** 31 - 1;

/** The most entries: a typed array of Node 20 holds no more, 16 GiB of binary32. */
export const MOST_ENTRIES = 2 ** 32;

/**
 * Wraps `data` as a rows×cols matrix without copying.
 * @throws ParanoiaError `bad-number` unless both sizes are integers ≥ 0; `shapes-differ` when `data` has another length;
 * `bad-operand` when `data` is neither a Float32Array nor a Float64Array.
 */
export function matrix<T extends RealArray>(rows: number, cols: number, data: T): Matrix<T> {
  for (const [what, given] of [
    ['rows', rows],
    ['cols', cols],
  ] as const) {
    if (!Number.isInteger(given) || given < 0) {
      throw badNumber({ what, given, need: 'a whole number of at least 0' });
    }
  }
  if (!isReal(data)) throw badOperand({ name: 'A matrix', why: NEED_REALS });
  if (data.length !== rows * cols) {
    throw shapesDiffer({
      a: `${rows}×${cols}`,
      b: `${data.length} entries`,
      why: `a ${rows}×${cols} matrix has ${rows * cols} entries`,
    });
  }
  return { rows, cols, data };
}

const NEED_REALS = 'its data must be a Float32Array or a Float64Array';

const isReal = (data: unknown): data is RealArray =>
  data instanceof Float32Array || data instanceof Float64Array;

/**
 * Refuses a value that is not a matrix, for functions that take matrices built by callers.
 * @param name the matrix's name in messages: "A".
 * @throws ParanoiaError `bad-operand`
 */
export function requireMatrix(x: Matrix, name: string): void {
  const { rows, cols, data } = (x ?? {}) as Partial<Matrix>;
  const isSize = (size: unknown) => Number.isInteger(size) && (size as number) >= 0;
  const why =
    data === undefined || !isSize(rows) || !isSize(cols)
      ? 'it is not a matrix. Give { rows, cols, data }, as matrix(rows, cols, data) returns'
      : !isReal(data)
        ? NEED_REALS
        : data.length !== (rows as number) * (cols as number)
          ? `a ${rows}×${cols} matrix has ${(rows as number) * (cols as number)} entries, but its data has ${data.length}`
          : undefined;
  if (why !== undefined) throw badOperand({ name, why });
}

/** Makes a rows×cols matrix of zeros in binary64. */
export function zerosF64(rows: number, cols: number): Matrix<Float64Array> {
  return matrix(rows, cols, new Float64Array(rows * cols));
}

/** The side of a square that is transposed at once: its rows and columns stay in a processor's cache. */
const TILE = 16;

/** Returns the transpose as a new matrix in the same precision. @throws ParanoiaError `bad-operand` */
export function transpose<T extends RealArray>(x: Matrix<T>): Matrix<T> {
  requireMatrix(x, 'The matrix to transpose');
  const data = new (x.data.constructor as new (n: number) => T)(x.data.length);
  for (let i0 = 0; i0 < x.rows; i0 += TILE) {
    const i1 = Math.min(i0 + TILE, x.rows);
    for (let j0 = 0; j0 < x.cols; j0 += TILE) {
      const j1 = Math.min(j0 + TILE, x.cols);
      for (let i = i0; i < i1; i++)
        for (let j = j0; j < j1; j++) data[j * x.rows + i] = x.data[i * x.cols + j];
    }
  }
  return { rows: x.cols, cols: x.rows, data };
}

/**
 * Returns the dimensions of A·B.
 * @throws ParanoiaError `shapes-differ` when A's columns are not B's rows, `bad-operand` when A or B is not a matrix.
 */
export function productShape(a: Matrix, b: Matrix): Shape {
  requireMatrix(a, 'A');
  requireMatrix(b, 'B');
  if (a.cols !== b.rows) {
    throw shapesDiffer({
      a: `A is ${a.rows}×${a.cols}`,
      b: `B is ${b.rows}×${b.cols}`,
      why: `A must have as many columns as B has rows`,
    });
  }
  return { m: a.rows, k: a.cols, n: b.cols };
}

/** The shape of a product: A is m×k, B is k×n, C is m×n. */
export interface Shape {
  readonly m: number;
  readonly k: number;
  readonly n: number;
}

/** True if all entries are finite. */
export function areFinite(data: RealArray): boolean {
  for (let e = 0; e < data.length; e++) if (!Number.isFinite(data[e])) return false;
  return true;
}
