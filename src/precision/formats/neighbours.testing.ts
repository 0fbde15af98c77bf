import type { CodedFormat } from '../format.ts';

/** True if a format holds a number exactly, including the sign of a zero. */
export function holdsExactly({ round, holds: kinds }: CodedFormat, x: number): boolean {
  return Number.isNaN(x) ? kinds.nan : Object.is(round(x), x);
}

/**
 * Returns the next number of a format above or below any number; undefined if there is none, or x is NaN. Infinity is a number of
 * formats that have it, and zeros are one number.
 */
export function neighborOf({ code }: CodedFormat, x: number, side: 'up' | 'down'): number | undefined {
  const beside = nextDouble(x, side);
  if (Number.isNaN(beside)) return undefined;
  const found = code.decode(code.encode(beside, { rounding: side, overflow: 'special' }));
  return (side === 'up' ? found > x : found < x) ? found : undefined;
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** Returns the next double; NaN beyond infinity. */
function nextDouble(x: number, side: 'up' | 'down'): number {
  if (x === 0) return side === 'up' ? Number.MIN_VALUE : -Number.MIN_VALUE;
  if (x === (side === 'up' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) return Number.NaN;
  double[0] = x;
  bits[0] += x > 0 === (side === 'up') ? 1n : -1n;
  return double[0];
}
