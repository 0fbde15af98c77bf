/** Inner products in fixed point, as integers: exact for all exponents. */

import { lowestBit } from '../base/binary64.ts';

/** Returns the k entries at `start` as integers in units of 2^grid, which must divide them all. */
export function toIntegers(line: Float64Array, start: number, k: number, grid: number): bigint[] {
  const integers = new Array<bigint>(k);
  for (let t = 0; t < k; t++) {
    const x = line[start + t];
    if (x === 0) {
      integers[t] = 0n;
      continue;
    }
    const lowest = lowestBit(x);
    integers[t] = BigInt(x / 2 ** lowest) << BigInt(lowest - grid);
  }
  return integers;
}

/** Returns Σ xₜ·yₜ. */
export function integerDot(x: readonly bigint[], y: readonly bigint[]): bigint {
  let sum = 0n;
  for (let t = 0; t < x.length; t++) sum += x[t] * y[t];
  return sum;
}

/**
 * Rounds n·2^e to value + low. The value is rounded to nearest, ties to even; low is the remainder, rounded likewise, or 0 if the value
 * is infinite.
 */
export function roundInteger(n: bigint, e: number): { value: number; low: number } {
  const { value, rest } = roundOnce(n, e);
  return { value, low: Number.isFinite(value) ? roundOnce(rest, e).value : 0 };
}

/**
 * Rounds n·2^e to a double. It keeps the upper 53 bits, or, for subnormal results, those from 2^-1074 up; the remaining bits decide as a
 * fraction of the last one. `rest` is the part rounded away, in units of 2^e.
 */
function roundOnce(n: bigint, e: number): { value: number; rest: bigint } {
  if (n === 0n) return { value: 0, rest: 0n };
  const magnitude = n < 0n ? -n : n;
  const drop = BigInt(Math.max(0, magnitude.toString(2).length - 53, -1074 - e));
  let kept = magnitude >> drop;
  const twiceLeft = (magnitude - (kept << drop)) << 1n;
  const unit = 1n << drop;
  if (twiceLeft > unit || (twiceLeft === unit && (kept & 1n) === 1n)) kept += 1n;
  const rest = magnitude - (kept << drop);
  const value = Number(kept) * 2 ** (Number(drop) + e);
  return n < 0n ? { value: -value, rest: -rest } : { value, rest };
}
