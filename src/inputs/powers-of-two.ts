import { exponentOf } from '../base/binary64.ts';
import { makeNumbers } from '../base/numbers.ts';
import type { Random } from '../base/random.ts';
import { OURS } from '../base/registry.ts';
import type { Precision } from '../precision/precision.ts';
import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, inputFamily } from './input.ts';

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
    k * 2 ** (2 * SPREAD) <= 2 ** precision.accumulated.integerBits
      ? ACCEPTED
      : { ok: false, reason: `sums of ${k} products need more bits than ${precision.name} has` },
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
