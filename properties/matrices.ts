import type { Matrix } from '../src/matrix/dense.ts';

/** Multiplies every entry by a factor. */
export function scaled(x: Matrix, factor: number): Matrix {
  return { ...x, data: x.data.map((value) => value * factor) };
}
