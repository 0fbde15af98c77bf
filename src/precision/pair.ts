/**
 * A float-float number in the 8 bytes of a double: its high part in the upper half, its low part in the lower. So a
 * typed array of doubles holds pairs, and a little-endian device reads each as two binary32 numbers, the low one first.
 */
const bytes = new Float64Array(1);
const parts = new Float32Array(bytes.buffer);
const [LOW, HIGH] = [0, 1];

/** The double that stands for a pair. */
export function pairOf(high: number, low: number): number {
  parts[HIGH] = high;
  parts[LOW] = low;
  return bytes[0];
}

export function highOf(pair: number): number {
  bytes[0] = pair;
  return parts[HIGH];
}

export function lowOf(pair: number): number {
  bytes[0] = pair;
  return parts[LOW];
}

/** The pair nearest a number: its binary32 value, and that of what is left. */
export function encodePair(x: number): number {
  const high = Math.fround(x);
  return pairOf(high, Number.isFinite(high) ? x - high : 0);
}

/** The number a pair means, rounded to double; a zero has the sign of its high part. */
export function decodePair(pair: number): number {
  bytes[0] = pair;
  return parts[LOW] === 0 ? parts[HIGH] : parts[HIGH] + parts[LOW];
}
