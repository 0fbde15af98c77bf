import { type Random, seeded } from '../../base/random.ts';
import { bitsOf } from './bits.ts';
import type { Operands } from './question.ts';

/** Draws the operands of one question. */
export interface Draw {
  readonly random: Random;
  /** Draws ± a significand of `bits` bits times 2^low … 2^high. */
  number(low: number, high: number, bits?: number): number;
}

const SEED = 754;

/** Draws `count` random cases, the same on every machine. */
export function drawn(count: number, make: (draw: Draw) => readonly number[]): readonly Operands[] {
  const random = seeded(SEED);
  const number = (low: number, high: number, bits = 24) => {
    const significand = 1 + random.int(0, 2 ** (bits - 1) - 1) / 2 ** (bits - 1);
    return (random.int(0, 1) === 0 ? 1 : -1) * significand * 2 ** random.int(low, high);
  };
  return Array.from({ length: count }, () => make({ random, number }).map(bitsOf));
}

/** Returns every case with every choice of signs of its first two operands. */
export function signed(cases: readonly (readonly [number, number])[]): readonly Operands[] {
  return cases.flatMap(([x, y]) =>
    [1, -1].flatMap((s) => [1, -1].map((t) => [bitsOf(s * x), bitsOf(t * y)])),
  );
}

/** Draws `count` cases of random bits. */
export function drawnBits(count: number): readonly Operands[] {
  const random = seeded(SEED);
  return Array.from({ length: count }, () => [random.bits(), random.bits()]);
}
