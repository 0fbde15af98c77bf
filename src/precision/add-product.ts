import { compileWasm } from '../base/compile-wasm.ts';
import type { RealArray, Shape } from '../matrix/dense.ts';
import { hex } from './wasm/module.ts';

/**
 * Computes out += x·y in doubles, sequentially over k. x is m×k, y is k×n, out is m×n, all row-major. Cost: about 0.2 ns an operation;
 * 1 if the product is thin, more if there is no WebAssembly.
 */
export function addProduct(x: Float64Array, y: Float64Array, shape: Shape, out: Float64Array): void {
  if (addInVectors('double', x, y, shape, out)) return;
  const { m, k, n } = shape;
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      let sum = out[i * n + j];
      for (let p = 0, at = j; p < k; p++, at += n) sum += x[i * k + p] * y[at];
      out[i * n + j] = sum;
    }
}

/** Computes out += x·y in binary32, with each product and each sum rounded to nearest, as {@link addProduct} does. */
export function addProduct32(x: Float32Array, y: Float32Array, shape: Shape, out: Float32Array): void {
  if (addInVectors('single', x, y, shape, out)) return;
  const { m, k, n } = shape;
  const round = Math.fround;
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      let sum = out[i * n + j];
      for (let p = 0, at = j; p < k; p++, at += n) sum = round(sum + round(x[i * k + p] * y[at]));
      out[i * n + j] = sum;
    }
}

/** The way in which an entry adds one more product: rounded twice in binary32 or binary64, or once in binary32. */
export type AdditionKind = 'single' | 'double' | 'fused';

/** Adds the products of the block in memory to its sums. */
type Kernel = (rowTiles: number, colTiles: number, k: number) => void;

interface Kernels {
  readonly functions: Record<AdditionKind, Kernel>;
  readonly memory: Record<AdditionKind, RealArray>;
}

let made: Kernels | null | undefined;

/** Returns the kernels of this thread, compiled on first use; null if it has none. */
function kernels(): Kernels | null {
  if (made !== undefined) return made;
  const compiled = compileWasm<Record<AdditionKind, Kernel>>(hex);
  if (typeof compiled === 'string') made = null;
  else {
    const { memory, ...functions } = compiled;
    const doubles = new Float64Array(memory.buffer, 0, SIZE);
    const singles = new Float32Array(memory.buffer, 0, SIZE);
    made = { functions, memory: { single: singles, double: doubles, fused: doubles } };
  }
  return made;
}

/** The least operations, and the least terms or columns, for which filling the blocks is worthwhile. */
const SMALL = { operations: 2 ** 12, side: 8 };

/**
 * Computes out += x·y, each entry summed sequentially over k, in blocks with vectors. x is m×k, y is k×n, out is m×n, all row-major.
 * @returns false, without any change, if a loop is as fast or this runtime has no vectors.
 */
export function addInVectors(
  adding: AdditionKind,
  x: RealArray,
  y: RealArray,
  { m, k, n }: Shape,
  out: RealArray,
): boolean {
  const isSmall = Math.min(k, n) < SMALL.side || m * k * n < SMALL.operations;
  const here = isSmall ? null : kernels();
  if (here === null) return false;
  const memory = here.memory[adding];
  const run = here.functions[adding];
  const wide = (VECTOR / memory.BYTES_PER_ELEMENT) * TILE.vectors;
  for (let j = 0; j < n; j += COLS) {
    const cols = Math.min(COLS, n - j);
    const colTiles = Math.ceil(cols / wide);
    for (let p = 0; p < k; p += DEPTH) {
      const depth = Math.min(DEPTH, k - p);
      copyRows(y, p * n + j, n, memory, places.b, LINE, depth, cols);
      for (let i = 0; i < m; i += ROWS) {
        const rows = Math.min(ROWS, m - i);
        copyRows(x, i * k + p, k, memory, places.a, DEPTH, rows, depth);
        copyRows(out, i * n + j, n, memory, places.out, LINE, rows, cols);
        run(Math.ceil(rows / TILE.rows), colTiles, depth);
        copyRows(memory, places.out, LINE, out, i * n + j, n, rows, cols);
      }
    }
  }
  return true;
}

/** The least length of rows for which moving memory is faster than a loop. */
const LONG = 32;

/** Copies rows from one matrix into another. Adjacent memory is computed with, but never read back. */
function copyRows(
  from: RealArray,
  fromAt: number,
  fromStride: number,
  to: RealArray,
  toAt: number,
  toStride: number,
  rows: number,
  cols: number,
): void {
  const isMoved = cols >= LONG && from.constructor === to.constructor;
  for (let i = 0; i < rows; i++) {
    const [source, target] = [fromAt + i * fromStride, toAt + i * toStride];
    if (isMoved) to.set(from.subarray(source, source + cols), target);
    else for (let j = 0; j < cols; j++) to[target + j] = from[source + j];
  }
}

/** The largest block of a product that is computed at once: rows, terms and columns. */
export const ROWS = 64;
export const DEPTH = 256;
export const COLS = 128;

/** The rows of the result that a kernel keeps in registers, and their width in vectors. */
export const TILE = { rows: 4, vectors: 2 } as const;

/** The bytes of a vector. */
export const VECTOR = 16;

/** The entries from one row of B, and of the result, to the next. A power of two would use only few lines of a cache. */
export const LINE = COLS + 16;

/** The places of the matrices in the memory, in entries of any type. */
export const places = { a: 0, b: ROWS * DEPTH, out: ROWS * DEPTH + DEPTH * LINE } as const;

/** The entries of the whole memory. */
export const SIZE = places.out + ROWS * LINE;
