import type { Shape } from '../matrix/dense.ts';
import { addInVectors } from './wasm/blocks.ts';

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
