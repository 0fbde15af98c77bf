import { type Matrix, productShape, type Shape } from '../matrix/dense.ts';
import { type Profile, profile } from './profile.ts';

/** A and B as the exact product reads them. Only typed arrays and numbers: it can be sent to a worker. */
export interface Operands {
  readonly shape: Shape;
  /** A in binary64, m×k row-major: row i starts at i·k. */
  readonly a: Float64Array;
  /** B transposed, in binary64, n×k row-major: column j of B starts at j·k, so an inner product reads two runs. */
  readonly bt: Float64Array;
  /** The rows of A. */
  readonly rows: Profile;
  /** The columns of B. */
  readonly cols: Profile;
}

/** Columns of B copied at a time: a 64-byte cache line of doubles. */
const TILE = 8;

/**
 * Packs A (m×k) and B (k×n), each f32 or f64 (an f32 entry is exact in f64).
 * @param allocate where the arrays live: a SharedArrayBuffer lets workers read them without copies.
 * @throws Problem `shapes-differ`.
 */
export function packOperands(
  a: Matrix,
  b: Matrix,
  allocate: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes),
): Operands {
  const shape = productShape(a, b);
  const { m, k, n } = shape;
  const rows = new Float64Array(allocate(8 * m * k));
  rows.set(a.data);
  const columns = new Float64Array(allocate(8 * n * k));
  for (let j0 = 0; j0 < n; j0 += TILE) {
    const j1 = Math.min(j0 + TILE, n);
    for (let t = 0; t < k; t++) {
      for (let j = j0; j < j1; j++) columns[j * k + t] = b.data[t * n + j];
    }
  }
  return {
    shape,
    a: rows,
    bt: columns,
    rows: profile(rows, m, k, allocate),
    cols: profile(columns, n, k, allocate),
  };
}
