import { createRandom, type Random } from '../../base/random.ts';
import { encodeBits } from './bits.ts';
import type { OperandWords } from './question.ts';

/** Source of the operands of one question. */
export interface OperandDraw {
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
