import type { Shape } from '../matrix/dense.ts';

/** A size: n for n×n×n, or [m, k, n] for an m×k matrix times a k×n one. */
export type Size = number | readonly [m: number, k: number, n: number];

/** The shape of a size. */
export function shapeOf(size: Size): Shape {
  const [m, k, n] = typeof size === 'number' ? [size, size, size] : size;
  return { m, k, n };
}
