import { exp2, exponentOf } from '../base/binary64.ts';
import { makeNumbers } from '../base/numbers.ts';
import type { Random } from '../base/random.ts';
import { OURS } from '../base/registry.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { acceptIf, inputFamily } from './input.ts';

/** Binary exponent of the spread within a row of A (column of B): factors 1, 2 and 4. Products spread by up to 2^(2·SPREAD). */
const SPREAD = 2;

/** Binary exponent of the scales of rows of A and columns of B: 2^-REACH … 2^REACH. */
const REACH = 20;

/** Returns the exponents of scales. For formats that saturate, products go beyond both ends. */
const reachIn = ({ d }: Precision): number =>
  d.roundingError === undefined ? REACH : Math.floor((-3 * exponentOf(d.minSubnormal)) / 4);

/**
 * Signed powers of two: A(i, t) = ±2^(r_i + e), B(t, j) = ±2^(c_j + e), e from 0 to 2, the scales r_i and c_j from −20 to 20, or past the
 * ends of results that saturate. Each sum of C is a whole number of at most 16k, times 2^(r_i + c_j), so a classical product is exact. A
 * fast algorithm adds rows of different scales, and is not exact.
 */
export const powersOfTwo = inputFamily({
  name: 'powers-of-two',
  what: 'Signed powers of two; each row of A and each column of B has a scale of its own.',
  source: OURS,
  catches:
    'Wrong rows or columns, by a wrong exponent; lost scaling; any rounding in a classical product; flushed results.',
  statistics: 'structured',
  exactness: 'classical',
  reach: { entries: REACH + SPREAD, sums: 2 * (REACH + SPREAD) + 15 },
  accepts: ({ k, precision = singlePrecision }) =>
    acceptIf(
      k * 2 ** (2 * SPREAD) <= 2 ** precision.accumulated.integerBits,
      `sums of ${k} products need more bits than ${precision.name} has`,
    ),
  make: ({ m, k, n, precision, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const reach = reachIn(precision);
    const rows = scales(m, ra, reach);
    const cols = scales(n, rb, reach);
    return {
      a: fill(m, k, (i) => rows[i] * signedPower(ra)),
      b: fill(k, n, (_, j) => cols[j] * signedPower(rb)),
    };
  },
});

function signedPower(random: Random): number {
  return random.sign() * 2 ** random.int(0, SPREAD);
}

function scales(count: number, random: Random, reach: number): Float64Array {
  return makeNumbers(count, () => 2 ** random.int(-reach, reach));
}

const SCALE = 2 ** 20;

/**
 * Uniform on [−1, 1], the lower half of A's rows times 2^20. A classical product keeps the rows apart; a fast
 * algorithm adds large rows to small ones, and the small half of C gets the errors of the large one (Higham,
 * *Accuracy and Stability of Numerical Algorithms*, §23.2.2: no componentwise bound).
 */
export const scaledRows = inputFamily({
  name: 'scaled-rows',
  what: 'Uniform on [−1, 1], with the lower half of the rows of A times 2^20.',
  source: 'after Higham, Accuracy and Stability of Numerical Algorithms, §23.2.2',
  catches: 'A fast algorithm passed off as classical: its componentwise error is a million times larger.',
  statistics: 'random',
  exactness: 'none',
  reach: { entries: 20, sums: 36 },
  make: ({ m, k, n, random, fill, uniform }) => {
    const ra = random(1);
    const firstLarge = Math.ceil(m / 2);
    return {
      a: fill(m, k, (i) => ra.uniform(-1, 1) * (i < firstLarge ? 1 : SCALE)),
      b: uniform(k, n, -1, 1, 2),
    };
  },
});

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
