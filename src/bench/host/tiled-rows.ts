/** What one thread computes with: entries row by row, A m×k, B k×n, C m×n. */
export interface TileTask {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly c: Float64Array;
  readonly m: number;
  readonly k: number;
  readonly n: number;
  /** The side of a tile. */
  readonly side: number;
  /** One number that all who share it count up: the next tile of C that nobody has taken. */
  readonly taken: Int32Array;
  /** The tile that is not to be taken any more. */
  readonly end: number;
}

/**
 * Computes tiles of C until none is left: the tiled product of Davis (2025), figure 1, whose two outer loops are run by
 * several threads. Tiles of one side: it takes one tile of A and of B at a time, and writes C once for each of them.
 * It refers to nothing outside itself, so that its text alone makes a thread.
 */
export function takeTiles({ a, b, c, m, k, n, side, taken, end }: TileTask): void {
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
