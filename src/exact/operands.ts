import { type Matrix, productShape, type RealArray, type Shape } from '../matrix/dense.ts';
import { type Allocate, type ExponentProfile, type LineExponents, profile, profileLines } from './profile.ts';

/** A and B as the exact product reads them: only typed arrays and numbers, so that workers can receive them. */
export interface ExactOperands {
  readonly shape: Shape;
  /** A, m×k row-major. */
  readonly a: RealArray;
  /** B, k×n row-major. */
  readonly b: RealArray;
  /** The profile of the rows of A. */
  readonly rows: ExponentProfile;
  /** The profile of the columns of B. */
  readonly cols: ExponentProfile;
}

/**
 * Reads A (m×k) and B (k×n), each f32 or f64, with their profiles.
 * @throws ParanoiaError `shapes-differ`, `bad-operand`.
 */
export function readOperands(a: Matrix, b: Matrix): ExactOperands {
  return {
    ...{ shape: productShape(a, b), a: a.data, b: b.data },
    ...{ rows: profile(a, 'rows'), cols: profile(b, 'columns') },
  };
}

/** Operands whose lines are profiled in shares. */
export interface SharedOperands extends Omit<ExactOperands, 'rows' | 'cols'> {
  readonly rows: LineExponents;
  readonly cols: LineExponents;
}

/** A share of lines: `at` of `of` about equal ones. */
export interface LineShare {
  readonly at: number;
  readonly of: number;
}

/** The widths of a share of the rows of A, and of the columns of B. */
export interface ShareWidths {
  readonly rows: number;
  readonly cols: number;
}

/** Profiles a share of the rows of A and of the columns of B. */
export function profileShare(
  { shape: { m, k, n }, a, b, rows, cols }: SharedOperands,
  { at, of }: LineShare,
): ShareWidths {
  const range = (count: number) =>
    [Math.floor((count * at) / of), Math.floor((count * (at + 1)) / of)] as const;
  return {
    rows: profileLines({ rows: m, cols: k, data: a }, 'rows', ...range(m), rows),
    cols: profileLines({ rows: k, cols: n, data: b }, 'columns', ...range(n), cols),
  };
}

/** Joins operands with the widths of all shares. */
export function joinShares(operands: SharedOperands, shares: readonly ShareWidths[]): ExactOperands {
  const widest = (of: 'rows' | 'cols') => shares.reduce((most, share) => Math.max(most, share[of]), 0);
  return {
    ...operands,
    rows: { ...operands.rows, width: widest('rows') },
    cols: { ...operands.cols, width: widest('cols') },
  };
}

/** Copies a matrix into memory that threads can read, unless it lies there by itself. */
export function shareMatrix({ rows, cols, data }: Matrix, allocate: Allocate): Matrix {
  const { buffer, byteLength } = data;
  const isShared = typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
  if (isShared && buffer.byteLength === byteLength) return { rows, cols, data };
  const memory = allocate(data.byteLength);
  const copy = data instanceof Float32Array ? new Float32Array(memory) : new Float64Array(memory);
  copy.set(data);
  return { rows, cols, data: copy };
}

/** True if the product of any entry of A and any of B is exact in a double. */
export function productsAreExact({ rows, cols }: ExactOperands): boolean {
  return rows.width + cols.width <= 53;
}

/** Single lines of the operands in binary64, as runs of k entries, for entries that are summed one by one. */
interface OperandLines {
  row(i: number): Float64Array;
  column(j: number): Float64Array;
}

/** The doubles that may be cached of each operand. */
const REMEMBERED = 2 ** 22;

/** Reads lines of the operands through a cache. */
export function openLines({ shape: { k, n }, a, b }: ExactOperands): OperandLines {
  const capacity = Math.max(1, Math.floor(REMEMBERED / Math.max(k, 1)));
  const rows = new LineCache(capacity, (i) => Float64Array.from(a.subarray(i * k, (i + 1) * k)));
  const columns = new LineCache(capacity, (j) => {
    const column = new Float64Array(k);
    for (let t = 0; t < k; t++) column[t] = b[t * n + j];
    return column;
  });
  return { row: (i) => rows.get(i), column: (j) => columns.get(j) };
}

/** Caches values for lines (rows or columns) up to a capacity; when full, it is cleared. */
export class LineCache<T> {
  readonly #make: (line: number) => T;
  readonly #capacity: number;
  readonly #made = new Map<number, T>();

  constructor(capacity: number, make: (line: number) => T) {
    this.#capacity = capacity;
    this.#make = make;
  }

  get(line: number): T {
    let value = this.#made.get(line);
    if (value === undefined) {
      if (this.#made.size >= this.#capacity) this.#made.clear();
      value = this.#make(line);
      this.#made.set(line, value);
    }
    return value;
  }
}
