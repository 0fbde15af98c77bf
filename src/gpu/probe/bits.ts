import type { AnsweredCase, OperandWords } from './question.ts';

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** Returns the bits of a number rounded to binary32. */
export function encodeBits(value: number): number {
  float[0] = value;
  return word[0];
}

/** Returns the binary32 number of a bit pattern. */
export function numberOfBits(bits: number): number {
  word[0] = bits;
  return float[0];
}

/** Returns the number of a binary16 bit pattern. */
export function numberOf16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Encodes numbers as operands. */
export function encodeFloats(...values: readonly number[]): OperandWords {
  return values.map(encodeBits);
}

/** Pairs a case with the bits of the device's answer. */
export function makeAnsweredCase(words: OperandWords, bits: number): AnsweredCase {
  const [x, y, z] = [0, 1, 2].map((i) => numberOfBits(words[i] ?? 0));
  return { words, x, y, z, bits, value: numberOfBits(bits) };
}
