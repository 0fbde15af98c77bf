/**
 * A float-float number in the 8 bytes of a double: its high part in the upper half, its low part in the lower. A typed array of doubles
 * thus holds pairs, and a little-endian device reads each as two binary32 numbers, the low one first.
 */
const bytes = new Float64Array(1);
const parts = new Float32Array(bytes.buffer);
const [LOW, HIGH] = [0, 1];

/** Returns the double that represents a pair. */
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

/** Returns the pair nearest to a number: its binary32 value, and that of the remainder. */
export function encodePair(x: number): number {
  const high = Math.fround(x);
  return pairOf(high, Number.isFinite(high) ? x - high : 0);
}

/** Returns the number of a pair, rounded to double; a zero has the sign of its high part. */
export function decodePair(pair: number): number {
  bytes[0] = pair;
  return parts[LOW] === 0 ? parts[HIGH] : parts[HIGH] + parts[LOW];
}
