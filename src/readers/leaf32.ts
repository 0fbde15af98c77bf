import type { Arithmetic } from '../formats/arithmetic.ts';
import { arithmetic32, MIN_NORMAL32 } from '../formats/arithmetic32.ts';
import type { Shape } from '../matrix/dense.ts';
import { addProduct32 } from './unfused32.ts';

/**
 * The leaf product as every leaf kernel computes it: out = x·y, each entry summed sequentially over k from
 * zero with fma, `acc = fma(x, y, acc)`, in the device's arithmetic.
 *
 * x is m×k, y is k×n, out is m×n, all row-major. Cost: m·k·n operations, about 1 ns each where the device's
 * fma is not fused and no subnormal can arise, else 3 to 11 ns.
 */
export function multiply32(
  x: Float32Array,
  y: Float32Array,
  { m, k, n }: Shape,
  out: Float32Array,
  arithmetic: Arithmetic,
): void {
  out.fill(0);
  const plain = !arithmetic.flushesSubnormals || neverSubnormal(x, y);
  if (plain && !arithmetic.fused) {
    addProduct32(x, y, { m, k, n }, out);
    return;
  }
  const { fma } = arithmetic32(
    plain ? { ...arithmetic, flushesOperands: false, flushesBelow: 0 } : arithmetic,
  );
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const xip = x[i * k + p];
      for (let j = 0; j < n; j++) out[i * n + j] = fma(xip, y[p * n + j], out[i * n + j]);
    }
  }
}

/**
 * No operand is subnormal and no product is below 2^-100: then every partial sum is a multiple of 2^-124 (an ulp
 * of the smallest product), so it is zero or normal, and flushing cannot happen.
 */
function neverSubnormal(x: Float32Array, y: Float32Array): boolean {
  const [a, b] = [smallest(x), smallest(y)];
  return a >= MIN_NORMAL32 && b >= MIN_NORMAL32 && a * b >= 2 ** -100;
}

function smallest(values: Float32Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size < least && size > 0) least = size;
  }
  return least;
}
