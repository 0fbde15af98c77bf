import { type Arithmetic, arithmetic32, MIN_NORMAL32 } from '../formats/arithmetic32.ts';
import type { Shape } from '../matrix/dense.ts';

/**
 * The leaf product as every leaf kernel computes it: out = x·y, each entry summed sequentially over k from
 * zero with fma, `acc = fma(x, y, acc)`, in the device's arithmetic.
 *
 * x is m×k, y is k×n, out is m×n, all row-major. Cost: m·k·n operations, 1–2 ns each where the device's fma
 * is not fused and no subnormal can arise, else about 10 ns.
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
  if (plain && !arithmetic.fused) unfused(x, y, m, k, n, out);
  else
    general(
      x,
      y,
      m,
      k,
      n,
      out,
      arithmetic32(plain ? { fused: true, flushesOperands: false, flushesBelow: 0 } : arithmetic).fma,
    );
}

function unfused(x: Float32Array, y: Float32Array, m: number, k: number, n: number, out: Float32Array): void {
  const round = Math.fround;
  for (let i = 0; i < m; i++) {
    const row = i * n;
    for (let p = 0; p < k; p++) {
      const xip = x[i * k + p];
      const yRow = p * n;
      for (let j = 0; j < n; j++) out[row + j] = round(out[row + j] + round(xip * y[yRow + j]));
    }
  }
}

function general(
  x: Float32Array,
  y: Float32Array,
  m: number,
  k: number,
  n: number,
  out: Float32Array,
  fma: (a: number, b: number, c: number) => number,
): void {
  for (let i = 0; i < m; i++) {
    const row = i * n;
    for (let p = 0; p < k; p++) {
      const xip = x[i * k + p];
      const yRow = p * n;
      for (let j = 0; j < n; j++) out[row + j] = fma(xip, y[yRow + j], out[row + j]);
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
