import { makeNumbers } from './numbers.ts';

/** A double and its bit pattern as two words. */
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0;

const BIAS = 1023;
/** Scales the largest doubles down, so that anchors do not overflow. */
const DOWN_BY = 128;
const DOWN = 2 ** -DOWN_BY;

/**
 * Returns the rounding from a double to a binary format with `precision` ≤ 50 significand bits, exponents from `minExponent` (of the
 * smallest normal number) and the largest finite number `maxFinite`: to nearest, ties to even, subnormals kept, overflow to infinity, zeros
 * of the sign of x (IEEE 754-2019, §4.3.1). Adding and subtracting 1.5·2^52 units of the last place leaves whole units, ties to even. Cost:
 * about 3 ns.
 */
export function roundingTo(precision: number, minExponent: number, maxFinite: number): (x: number) => number {
  // Midway between the largest finite number and the power of two above it.
  const overflow = maxFinite + 2 ** (1 - minExponent - precision);
  // Made with the first rounding: most formats of a run round nothing.
  let anchors: Float64Array | undefined;
  return (x) => {
    const size = Math.abs(x);
    if (!(size < overflow)) return Number.isNaN(x) ? x : Math.sign(x) * Number.POSITIVE_INFINITY;
    anchors ??= anchorsOf(precision, minExponent);
    double[0] = x;
    const biased = (words[HIGH] >>> 20) & 0x7ff;
    const anchor = anchors[biased];
    const rounded =
      anchor < Number.POSITIVE_INFINITY
        ? x + anchor - anchor
        : (x * DOWN + anchors[biased - DOWN_BY] - anchors[biased - DOWN_BY]) / DOWN;
    return rounded === 0 ? x * 0 : rounded;
  };
}

const anchorsOf = (precision: number, minExponent: number): Float64Array =>
  makeNumbers(2048, (biased) => 1.5 * 2 ** (Math.max(biased - BIAS, minExponent) - (precision - 1) + 52));

/** Returns the sum a + b rounded once by `round`, without the error of a first rounding to double. */
export function roundSum(a: number, b: number, round: (x: number) => number): number {
  const sum = a + b;
  const bPart = sum - a;
  const lost = a - (sum - bPart) + (b - bPart);
  if (lost === 0 || !Number.isFinite(sum)) return round(sum);
  // Round to odd: a double with an odd last bit is no midpoint of a narrower format.
  double[0] = sum;
  if (words[1 - HIGH] % 2 === 1) return round(sum);
  const away = lost > 0 === sum > 0;
  if (away) words[1 - HIGH] += 1;
  else if (words[1 - HIGH] === 0) {
    words[1 - HIGH] = 0xffffffff;
    words[HIGH] -= 1;
  } else words[1 - HIGH] -= 1;
  return round(double[0]);
}
