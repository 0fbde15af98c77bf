import type { Random } from '../base/random.ts';
import { OURS } from '../base/registry.ts';
import type { Format } from '../precision/format.ts';
import { specialIn, takeSpecials } from '../precision/operand-encoding.ts';
import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, inputFamily, reachOfUnits } from './input.ts';

const ZEROS = [0, -0] as const;
const NON_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

/** One entry in this many is ±0 or subnormal. */
const TINY_EVERY = 16;

/** One row of A, and one column of B, in this many has an infinite or NaN entry; at least one if there is any. */
const NON_FINITE_EVERY = 8;

/**
 * Uniform on [−1, 1], with ±0, subnormal numbers, NaN and infinities at random places. So few rows of A and
 * columns of B hold a NaN or an infinity that about three quarters of C stay finite. No finite sum overflows,
 * hence the order of summation does not decide which entries are NaN. Infinities have an even inner index and
 * subnormals an odd one: they never meet, so a device that flushes subnormals does not turn Inf into Inf·0. A fast
 * algorithm spreads NaN and infinities: only classical kernels can be held to this.
 */
export const specialValues = inputFamily({
  name: 'special-values',
  what: 'Random entries with a few ±0, subnormals, NaN and infinities among them.',
  source: OURS,
  catches: 'NaN or infinity lost, invented, or spread to other rows and columns.',
  statistics: 'structured',
  exactness: 'none',
  reachOf: reachOfUnits,
  accepts: ({ precision = singlePrecision }) =>
    !takeSpecials(precision)
      ? { ok: false, reason: 'its precision has no NaN, or none that follows IEEE 754' }
      : ACCEPTED,
  make: ({ m, k, n, precision, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const tinies = tiniesOf(precision.a);
    const a = fill(m, k, (_, t) => entry(ra, t, tinies));
    const b = fill(k, n, (t) => entry(rb, t, tinies));
    const hasSpecials = k > 0 && m + n > 0;
    if (hasSpecials) {
      choose(m, ra).forEach((i, at) => {
        a.data[i * k + evenIndex(k, ra)] = specialIn(precision, NON_FINITE[at % NON_FINITE.length]);
      });
      choose(n, rb).forEach((j, at) => {
        b.data[evenIndex(k, rb) * n + j] = specialIn(precision, NON_FINITE[(at + 1) % NON_FINITE.length]);
      });
    }
    return { a, b, hasSpecials, hasSubnormals: true };
  },
});

function entry(random: Random, inner: number, tinies: readonly number[]): number {
  if (random.int(1, TINY_EVERY) !== 1) return random.uniform(-1, 1);
  const choice = inner % 2 === 0 ? ZEROS : tinies;
  return choice[random.int(0, choice.length - 1)];
}

function tiniesOf({ minNormal, minSubnormal }: Format): readonly number[] {
  return [...ZEROS, minSubnormal, -minSubnormal, minNormal / 2, -minNormal / 2];
}

function evenIndex(count: number, random: Random): number {
  return 2 * random.int(0, (count - 1) >> 1);
}

function choose(count: number, random: Random): number[] {
  const few = Math.min(count, Math.max(1, Math.floor(count / NON_FINITE_EVERY)));
  return Array.from(random.permutation(count).subarray(0, few));
}
