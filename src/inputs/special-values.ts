import type { Random } from '../base/random.ts';
import { OURS } from '../base/registry.ts';
import type { RealArray } from '../matrix/dense.ts';
import type { Format } from '../precision/format.ts';
import { specialIn, takeSpecials } from '../precision/operand-encoding.ts';
import { singlePrecision } from '../precision/single.ts';
import { acceptIf, inputFamily, reachOfUnits } from './input.ts';
import { integerMagnitudes, integers } from './integers.ts';

const ZEROS = [0, -0] as const;
const NON_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const;

/** One entry in this many is ±0 or subnormal. */
const TINY_EVERY = 16;

/** One row of A, and one column of B, in this many has an infinite or NaN entry; at least one if there is any. */
const NON_FINITE_EVERY = 8;

/**
 * Uniform on [−1, 1], with ±0, subnormal numbers, NaN and infinities at random places. Each NaN and infinity meets a 0. So few rows of A and
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
    acceptIf(takeSpecials(precision), 'its precision has no NaN, or none that follows IEEE 754'),
  make: ({ m, k, n, precision, random, fill }) => {
    const [ra, rb] = [random(1), random(2)];
    const tinies = tiniesOf(precision.a);
    const a = fill(m, k, (_, t) => entry(ra, t, tinies));
    const b = fill(k, n, (t) => entry(rb, t, tinies));
    const hasSpecials = k > 0 && m + n > 0;
    if (hasSpecials) {
      const [inA, inB] = [choose(m, ra), choose(n, rb)];
      const termsOfA = inA.map((i, at) => {
        const t = evenIndex(k, ra);
        a.data[i * k + t] = specialIn(precision, NON_FINITE[at % NON_FINITE.length]);
        return t;
      });
      const termsOfB = inB.map((j, at) => {
        const t = evenIndex(k, rb);
        b.data[t * n + j] = specialIn(precision, NON_FINITE[(at + 1) % NON_FINITE.length]);
        return t;
      });
      if (n > 0) for (const t of termsOfA) meetZero(b.data, t * n + rb.int(0, n - 1));
      if (m > 0) for (const t of termsOfB) meetZero(a.data, ra.int(0, m - 1) * k + t);
    }
    return { a, b, hasSpecials, hasSubnormals: true };
  },
});

/** Puts 0 beside a NaN or an infinity of the other operand, unless there is one at this place too. Kernels must not skip this 0. */
function meetZero(data: RealArray, at: number): void {
  if (Number.isFinite(data[at])) data[at] = 0;
}

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

/** Scale of the odd columns of B, which lifts their products into the normal range. */
const LIFT = 2 ** 60;

/**
 * The whole numbers of {@link integers}, with A times the least positive number, so that all of A is subnormal, and the odd columns of B
 * times 2^60. Even columns of C are sums of subnormal products. Odd ones are normal numbers that only a kernel which flushes subnormal
 * *operands* returns as 0. All sums are exact where subnormals are kept.
 */
export const subnormals = inputFamily({
  name: 'subnormals',
  what: 'Subnormal multiples of the least positive number times whole numbers; every other column of B is scaled by 2^60.',
  source: OURS,
  catches: 'Subnormal operands or results flushed to zero or rounded wrongly.',
  statistics: 'structured',
  exactness: 'classical',
  reach: { entries: 62, sums: 62 },
  accepts: (shape) =>
    keepsItsOperands(shape.precision)
      ? integers.accepts(shape)
      : { ok: false, reason: 'its operands are rounded before they are multiplied, or are pairs' },
  make: (request) => {
    const { maxA, maxB } = integerMagnitudes(request);
    const { m, k, n, precision, random, fill } = request;
    const [ra, rb] = [random(1), random(2)];
    const least = precision.a.minSubnormal;
    return {
      a: fill(m, k, () => ra.sign() * ra.int(1, maxA) * least),
      b: fill(k, n, (_, j) => rb.sign() * rb.int(1, maxB) * (j % 2 === 1 ? LIFT : 1)),
      hasSubnormals: true,
    };
  },
});

function keepsItsOperands(precision = singlePrecision): boolean {
  return precision.multiplied === precision.a && precision.a.underflow.kept === 1;
}
