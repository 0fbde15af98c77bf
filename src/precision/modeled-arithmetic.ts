import { roundSum } from '../base/rounding.ts';
import type { RealArray, Shape } from '../matrix/dense.ts';
import { type Arithmetic, flushingOf } from './arithmetic.ts';
import type { Format } from './format.ts';
import type { HostNumbers } from './precision.ts';

/** The smallest positive normal number, 2^-126. */
export const MIN_NORMAL32 = 2 ** -126;

/** The largest finite number, 2^128 − 2^104. */
export const MAX32 = 2 ** 128 - 2 ** 104;

/** The operations + × and fma on doubles that hold values of a format; the results hold values of it too. */
export interface Operations {
  add(a: number, b: number): number;
  mul(a: number, b: number): number;
  fma(a: number, b: number, c: number): number;
}

/** Returns the operations of a device, modeled on the CPU; rounding is to nearest, ties to even. */
export function arithmetic32(a: Pick<Arithmetic, 'fma' | 'subnormals'>): Operations {
  const { operands, below } = flushingOf(a);
  const fused = a.fma === 'once';
  if (operands) return flushing(fused, MIN_NORMAL32, below);
  return below > 0 ? flushing(fused, 0, below) : keeping(fused);
}

/** Computes fma of binary32 values, rounded once to binary32. */
export function fma32(a: number, b: number, c: number): number {
  const product = a * b;
  const sum = product + c;
  const rounded = Math.fround(sum);
  const rest = sum - rounded;
  if (rest === 0) return rounded;
  const other = rounded + 2 * rest;
  if (Math.fround(other) === other) return besideMidpoint(product, c, sum, rounded, other);
  return Math.abs(sum) === OVERFLOWS ? besideOverflow(product, c, sum, rounded) : rounded;
}

/** The midpoint of the largest finite binary32 number and 2^128. */
const OVERFLOWS = 2 ** 128 - 2 ** 103;

// The sum in double is the midpoint of two binary32 neighbors: its rounding error decides between them.
function besideMidpoint(product: number, c: number, sum: number, rounded: number, other: number): number {
  const lost = sumError(product, c, sum);
  if (lost === 0) return rounded;
  return lost > 0 === other > rounded ? other : rounded;
}

function besideOverflow(product: number, c: number, sum: number, rounded: number): number {
  const lost = sumError(product, c, sum);
  return lost !== 0 && lost > 0 !== sum > 0 ? Math.sign(sum) * MAX32 : rounded;
}

/** Returns (a + b) − sum, exactly (Knuth's TwoSum). */
function sumError(a: number, b: number, sum: number): number {
  const bPart = sum - a;
  return a - (sum - bPart) + (b - bPart);
}

function keeping(fused: boolean): Operations {
  return {
    add: (a, b) => Math.fround(a + b),
    mul: (a, b) => Math.fround(a * b),
    fma: fused ? fma32 : (a, b, c) => Math.fround(Math.fround(a * b) + c),
  };
}

// Written out, without helper functions: the bit-exact model of a product spends all its time here.
function flushing(fused: boolean, operandsBelow: number, below: number): Operations {
  const operand = (x: number): number => (Math.abs(x) < operandsBelow ? x * 0 : x);
  const round = (x: number): number => (Math.abs(x) < below ? x * 0 : Math.fround(x));
  return {
    add: (a, b) => round(operand(a) + operand(b)),
    mul: (a, b) => round(operand(a) * operand(b)),
    fma: fused
      ? (a, b, c) => {
          if (Math.abs(a) < operandsBelow) a *= 0;
          if (Math.abs(b) < operandsBelow) b *= 0;
          if (Math.abs(c) < operandsBelow) c *= 0;
          const sum = a * b + c;
          if (Math.abs(sum) > below) return fma32(a, b, c);
          const reached = Math.abs(sum) === below && sumError(a * b, c, sum) * sum >= 0;
          return reached ? fma32(a, b, c) : sum * 0;
        }
      : (a, b, c) => {
          if (Math.abs(a) < operandsBelow) a *= 0;
          if (Math.abs(b) < operandsBelow) b *= 0;
          if (Math.abs(c) < operandsBelow) c *= 0;
          const product = a * b;
          const sum = (Math.abs(product) < below ? product * 0 : Math.fround(product)) + c;
          return Math.abs(sum) < below ? sum * 0 : Math.fround(sum);
        },
  };
}

/**
 * Returns the operations of a device in a format of few bits, modeled on the CPU. Sums and products of two of its numbers are exact in
 * double, so that one rounding remains. The sum of fma is not always exact, hence {@link roundSum}.
 */
export function narrowArithmetic(
  { minNormal, round: toFormat }: Format,
  arithmetic: Pick<Arithmetic, 'fma' | 'subnormals'>,
): Operations {
  const { operands, below } = flushingOf(arithmetic);
  const least = operands ? minNormal : 0;
  const operand = (x: number): number => (Math.abs(x) < least ? x * 0 : x);
  const round = (x: number): number => (Math.abs(x) < below ? x * 0 : toFormat(x));
  const mul = (a: number, b: number): number => round(operand(a) * operand(b));
  return {
    add: (a, b) => round(operand(a) + operand(b)),
    mul,
    fma:
      arithmetic.fma === 'once'
        ? (a, b, c) => roundSum(operand(a) * operand(b), operand(c), round)
        : (a, b, c) => round(mul(a, b) + operand(c)),
  };
}

/** Returns the numbers of such a format, kept in binary32. Cost: 10 to 30 ns an operation. */
export function narrowNumbers(format: Format, arithmetic: Arithmetic): HostNumbers {
  const { add, fma } = narrowArithmetic(format, arithmetic);
  return {
    create: (length) => new Float32Array(length),
    negate: (a) => -a,
    add,
    multiplyAdd: fma,
    multiply: (x, y, shape, out) => multiplyWith(fma, x, y, shape, out),
  };
}

/** Computes a leaf product, as {@link HostNumbers.multiply} does, with a multiply-add. */
export function multiplyWith(
  fma: Operations['fma'],
  x: RealArray,
  y: RealArray,
  { m, k, n }: Shape,
  out: RealArray,
): void {
  out.fill(0);
  for (let i = 0; i < m; i++) {
    for (let p = 0; p < k; p++) {
      const xip = x[i * k + p];
      for (let j = 0; j < n; j++) out[i * n + j] = fma(xip, y[p * n + j], out[i * n + j]);
    }
  }
}
