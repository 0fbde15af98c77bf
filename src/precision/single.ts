import type { RealArray, Shape } from '../matrix/dense.ts';
import { type Arithmetic, flushingOf } from './arithmetic.ts';
import { arithmetic32, MIN_NORMAL32 } from './arithmetic32.ts';
import { f32 } from './format.ts';
import { walkPanels } from './panels.ts';
import { type Computation, type HostNumbers, type Precision, setStoredFormat } from './precision.ts';
import { addInVectors } from './wasm/blocks.ts';
import { single } from './wgsl/single.ts';

/** Returns binary32 numbers in the device's arithmetic. Cost: see {@link multiply32}. */
export const singleNumbers = (arithmetic: Arithmetic): HostNumbers => ({
  create: (length) => new Float32Array(length),
  negate: (a) => -a,
  add: arithmetic32(arithmetic).add,
  multiplyAdd: arithmetic32(arithmetic).fma,
  multiply: (x: RealArray, y: RealArray, shape, out: RealArray) =>
    multiply32(x as Float32Array, y as Float32Array, shape, out as Float32Array, arithmetic),
});

export const singlePrecision: Precision = {
  name: 'f32',
  what: 'binary32 throughout',
  source: 'IEEE 754-2019',
  ...setStoredFormat(f32),
  multiplied: f32,
  accumulated: f32,
  host: singleNumbers,
  wgsl: ({ arithmetic }) => ({ numeric: single, arithmetic }),
};

/** Returns binary32 in the arithmetic of a machine. */
export const singleComputation = (arithmetic: Arithmetic): Computation => ({
  precision: singlePrecision,
  arithmetic,
});

/**
 * Computes the leaf product like every leaf kernel: out = x·y, each entry summed sequentially over k from zero with fma, `acc = fma(x,
 * y, acc)`, in the device's arithmetic.
 *
 * x is m×k, y is k×n, out is m×n, all row-major. Cost: m·k·n operations; about 0.2 ns each if no subnormal can be flushed, 1.3 if the
 * device's fma is fused, otherwise 3 to 11 ns.
 */
function multiply32(
  x: Float32Array,
  y: Float32Array,
  { m, k, n }: Shape,
  out: Float32Array,
  arithmetic: Arithmetic,
): void {
  out.fill(0);
  const { operands, below } = flushingOf(arithmetic);
  const plain = (!operands && below === 0) || neverSubnormal(x, y);
  const isFused = arithmetic.fma === 'once';
  if (plain && addInVectors(isFused ? 'fused' : 'single', x, y, { m, k, n }, out)) return;
  if (plain && !isFused) {
    addProduct32(x, y, { m, k, n }, out);
    return;
  }
  const { fma } = arithmetic32(plain ? { ...arithmetic, subnormals: 'kept' } : arithmetic);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const xip = x[i * k + p];
      for (let j = 0; j < n; j++) out[i * n + j] = fma(xip, y[p * n + j], out[i * n + j]);
    }
  }
}

/**
 * True if no operand is subnormal and no product is below 2^-100. Every partial sum is then a multiple of 2^-124 (an ulp of the smallest
 * product), so it is zero or normal, and flushing cannot happen.
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

/**
 * Computes out += x·y in binary32, with each product and each sum rounded to nearest, sequentially over k, for products too small for
 * vectors. x is m×k, y is k×n, out is m×n, all row-major. Cost: 0.7 to 1 ns an operation.
 */
function addProduct32(x: Float32Array, y: Float32Array, shape: Shape, out: Float32Array): void {
  const { k, n } = shape;
  walkPanels(shape, {
    fourStepsOfTwoRows: (i, p) => addFourOfTwo(x, i * k + p, k, y, p * n, n, out, i * n),
    oneStep: (i, p) => addOne(x[i * k + p], y, p * n, n, out, i * n),
  });
}

// Without destructuring: it allocates an array for each until the engine's last tier has compiled these lines.
function addFourOfTwo(
  x: Float32Array,
  xAt: number,
  k: number,
  y: Float32Array,
  yAt: number,
  n: number,
  out: Float32Array,
  outAt: number,
): void {
  const round = Math.fround;
  const a0 = x[xAt];
  const a1 = x[xAt + 1];
  const a2 = x[xAt + 2];
  const a3 = x[xAt + 3];
  const b0 = x[xAt + k];
  const b1 = x[xAt + k + 1];
  const b2 = x[xAt + k + 2];
  const b3 = x[xAt + k + 3];
  const y1 = yAt + n;
  const y2 = y1 + n;
  const y3 = y2 + n;
  const next = outAt + n;
  for (let j = 0; j < n; j++) {
    const v0 = y[yAt + j];
    const v1 = y[y1 + j];
    const v2 = y[y2 + j];
    const v3 = y[y3 + j];
    let a = out[outAt + j];
    let b = out[next + j];
    a = round(a + round(a0 * v0));
    b = round(b + round(b0 * v0));
    a = round(a + round(a1 * v1));
    b = round(b + round(b1 * v1));
    a = round(a + round(a2 * v2));
    b = round(b + round(b2 * v2));
    a = round(a + round(a3 * v3));
    b = round(b + round(b3 * v3));
    out[outAt + j] = a;
    out[next + j] = b;
  }
}

function addOne(a: number, y: Float32Array, yAt: number, n: number, out: Float32Array, outAt: number): void {
  const round = Math.fround;
  for (let j = 0; j < n; j++) out[outAt + j] = round(out[outAt + j] + round(a * y[yAt + j]));
}
