import type { RealArray, Shape } from '../matrix/dense.ts';
import { addInVectors, addProduct32 } from './add-product.ts';
import { type Arithmetic, flushingOf } from './arithmetic.ts';
import { f32 } from './format.ts';
import { arithmetic32, MIN_NORMAL32, multiplyWith } from './modeled-arithmetic.ts';
import { type Computation, type HostNumbers, type Precision, setStoredFormat } from './precision.ts';
import { single } from './wgsl/numeric.ts';

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
  shape: Shape,
  out: Float32Array,
  arithmetic: Arithmetic,
): void {
  out.fill(0);
  const { operands, below } = flushingOf(arithmetic);
  const plain = (!operands && below === 0) || neverSubnormal(x, y);
  const isFused = arithmetic.fma === 'once';
  if (plain && isFused && addInVectors('fused', x, y, shape, out)) return;
  if (plain && !isFused) {
    addProduct32(x, y, shape, out);
    return;
  }
  const { fma } = arithmetic32(plain ? { ...arithmetic, subnormals: 'kept' } : arithmetic);
  multiplyWith(fma, x, y, shape, out);
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
