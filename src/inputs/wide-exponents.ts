import type { Random } from '../base/random.ts';
import { exp2 } from './exp2.ts';
import { inputFamily } from './input.ts';

/** φ: the standard deviation of the natural logarithm of the entries; 4 spreads them over some 70 binades. */
const PHI = 4;

/** Binary exponent of the grading: the rows of A, and the columns of B, are graded from 2^-GRADE to 2^GRADE. */
const GRADE = 16;

/** Least |rand − ½|, so that no product of two entries is below 2^-124. */
const LEAST = 2 ** -10;

/**
 * (rand − ½)·e^{φ·randn} with φ = 4, the data on which emulations by splitting are tested (Mukunoki, Ogita and
 * Ozaki, 2020), times powers of two that grade A's rows and B's columns. |randn| ≤ 6 and |rand − ½| ≥ 2^-10 keep
 * entries within 2^±62 and products within 2^±124: in binary32 none overflows or underflows, nor do their sums.
 */
export const wideExponents = inputFamily({
  name: 'wide-exponents',
  what: '(rand − ½)·e^{4·randn}, with graded rows of A and columns of B: every sum has exponents far apart.',
  source: 'after Mukunoki, Ogita, Ozaki 2020',
  catches: 'Emulations by fixed point or splitting that keep too few bits of small entries.',
  statistics: 'random',
  exactness: 'none',
  reach: { entries: 62, sums: 127 },
  make: ({ m, k, n, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    return {
      a: fill(m, k, (i) => entry(ra) * grade(i, m)),
      b: fill(k, n, (_, j) => entry(rb) * grade(j, n)),
    };
  },
});

function entry(random: Random): number {
  const centered = random.uniform(-0.5, 0.5);
  const size = Math.max(LEAST, Math.abs(centered));
  return Math.sign(centered || 1) * size * exp2(PHI * random.normal() * Math.LOG2E);
}

function grade(at: number, count: number): number {
  return count < 2 ? 1 : 2 ** Math.round(GRADE * ((2 * at) / (count - 1) - 1));
}
