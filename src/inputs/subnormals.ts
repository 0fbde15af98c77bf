import { fill } from './fill.ts';
import { inputFamily } from './input.ts';
import { integerMagnitudes, integers } from './integers.ts';
import { seeded } from './random.ts';

/** The least positive binary32 number. */
const TINY = 2 ** -149;

/** Scale of the odd columns of B, which lifts their products into the normal range. */
const LIFT = 2 ** 60;

/**
 * The whole numbers of {@link integers} with A times 2^-149, so that all of A is subnormal, and the odd columns of
 * B times 2^60. Even columns of C are sums of subnormal products, odd ones are normal numbers that only a kernel
 * which flushes subnormal *operands* returns as 0. All sums are exact where subnormals are kept.
 */
export const subnormals = inputFamily({
  name: 'subnormals',
  what: 'Subnormal whole multiples of 2^-149 times whole numbers, every other column of B scaled by 2^60.',
  catches: 'Subnormal operands or results flushed to zero, and wrong rounding among them.',
  statistics: 'structured',
  exactness: 'classical',
  accepts: integers.accepts,
  make: (request) => {
    const { maxA, maxB } = integerMagnitudes(request);
    const [ra, rb] = [seeded(request.seed, 1), seeded(request.seed, 2)];
    return {
      a: fill(request.m, request.k, () => ra.sign() * ra.int(1, maxA) * TINY),
      b: fill(request.k, request.n, (_, j) => rb.sign() * rb.int(1, maxB) * (j % 2 === 1 ? LIFT : 1)),
      hasSubnormals: true,
    };
  },
});
