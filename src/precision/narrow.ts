import { roundSum } from '../base/rounding.ts';
import type { RealArray } from '../matrix/dense.ts';
import { type Arithmetic, flushingOf } from './arithmetic.ts';
import type { Operations } from './arithmetic32.ts';
import type { Format } from './format.ts';
import type { HostNumbers } from './precision.ts';

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
    multiply(x: RealArray, y: RealArray, { m, k, n }, out: RealArray) {
      out.fill(0);
      for (let i = 0; i < m; i++) {
        for (let p = 0; p < k; p++) {
          const xip = x[i * k + p];
          for (let j = 0; j < n; j++) out[i * n + j] = fma(xip, y[p * n + j], out[i * n + j]);
        }
      }
    },
  };
}
