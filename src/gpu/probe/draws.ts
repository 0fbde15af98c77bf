import { createRandom, type Random } from '../../base/random.ts';
import type { AnsweredCase, OperandWords } from './question.ts';

/** Source of the operands of one question. */
interface OperandDraw {
  readonly random: Random;
  /** Draws ± a significand of `bits` bits times 2^low … 2^high. */
  number(low: number, high: number, bits?: number): number;
}

const SEED = 754;

/** Draws `count` random cases, the same on every machine. */
export function drawProbeCases(
  count: number,
  make: (draw: OperandDraw) => readonly number[],
): readonly OperandWords[] {
  const random = createRandom(SEED);
  const number = (low: number, high: number, bits = 24) => {
    const significand = 1 + random.int(0, 2 ** (bits - 1) - 1) / 2 ** (bits - 1);
    return (random.int(0, 1) === 0 ? 1 : -1) * significand * 2 ** random.int(low, high);
  };
  return Array.from({ length: count }, () => make({ random, number }).map(encodeBits));
}

/** Returns every case with every choice of signs of its first two operands. */
export function withAllSigns(cases: readonly (readonly [number, number])[]): readonly OperandWords[] {
  return cases.flatMap(([x, y]) =>
    [1, -1].flatMap((s) => [1, -1].map((t) => [encodeBits(s * x), encodeBits(t * y)])),
  );
}

/** Draws `count` cases of random bits. */
export function drawBitCases(count: number): readonly OperandWords[] {
  const random = createRandom(SEED);
  return Array.from({ length: count }, () => [random.bits(), random.bits()]);
}

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

export function encodeFloats(...values: readonly number[]): OperandWords {
  return values.map(encodeBits);
}

/** Pairs a case with the bits of the device's answer. */
export function makeAnsweredCase(words: OperandWords, bits: number): AnsweredCase {
  const [x, y, z] = [0, 1, 2].map((i) => numberOfBits(words[i] ?? 0));
  return { words, x, y, z, bits, value: numberOfBits(bits) };
}
