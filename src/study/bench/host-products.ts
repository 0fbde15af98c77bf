import type { Matrix } from '../../matrix/dense.ts';

/**
 * Multiplies with three loops on one thread of the processor. Each entry is summed in double and stored in binary32. Source: matrixMulH of
 * Dobravec and Bulić (2017), listing 1, which they took from NVIDIA's samples.
 */
export function doubleSums(a: Matrix, b: Matrix): Matrix<Float32Array> {
  const { rows: m, cols: k } = a;
  const n = b.cols;
  const data = new Float32Array(m * n);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) sum += a.data[i * k + p] * b.data[p * n + j];
      data[i * n + j] = sum;
    }
  }
  return { rows: m, cols: n, data };
}

/**
 * The input of one thread: the memory of binary64 entries row by row, A m×k, B k×n, C m×n. Typed arrays would arrive without entries in
 * another thread from 2^32 bytes on, since V8 writes their length as 32 bits.
 */
export interface TileTask {
  readonly a: SharedArrayBuffer;
  readonly b: SharedArrayBuffer;
  readonly c: SharedArrayBuffer;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** The side of a tile. */
  readonly side: number;
  /** A shared counter: the next tile of C that no thread has taken. */
  readonly taken: Int32Array;
  /** The first tile that must not be taken any more. */
  readonly end: number;
}

/**
 * Computes tiles of C until none is left: the tiled product of Davis (2025), figure 1, whose two outer loops several threads share. The
 * tiles are square. The function takes one tile of A and of B at a time, and writes C once for each of them. It refers to nothing outside
 * itself, so that its text alone makes a thread.
 */
export function takeTiles({ m, k, n, side, taken, end, ...memory }: TileTask): void {
  const [a, b, c] = [memory.a, memory.b, memory.c].map((bytes) => new Float64Array(bytes));
  const across = Math.ceil(n / side);
  for (let tile = Atomics.add(taken, 0, 1); tile < end; tile = Atomics.add(taken, 0, 1)) {
    const top = Math.floor(tile / across) * side;
    const left = (tile % across) * side;
    const bottom = Math.min(m, top + side);
    const right = Math.min(n, left + side);
    for (let front = 0; front < k; front += side) {
      const back = Math.min(k, front + side);
      for (let i = top; i < bottom; i++) {
        for (let j = left; j < right; j++) {
          let sum = c[i * n + j];
          for (let p = front; p < back; p++) sum += a[i * k + p] * b[p * n + j];
          c[i * n + j] = sum;
        }
      }
    }
  }
}
