import { describe, expect, test } from 'vitest';
import {
  fromLast,
  grouped,
  partsOf,
  productsOf,
  restLast,
  reversed,
  type SumFunction,
  sorted,
  sumsIn,
  tilesOf,
} from '../lab/honest/sums.ts';
import { inShort, itWhole } from '../src/base/in-short.testing.ts';
import { createRandom, type Random } from '../src/base/random.ts';
import { exactProduct } from '../src/exact/exact.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { claimedPlan } from '../src/kernels/external-kernel.ts';
import { type Matrix, matrix } from '../src/matrix/dense.ts';
import { f32 } from '../src/precision/format.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { analyze } from '../src/readers/analysis.ts';
import { some } from './some.ts';

/**
 * The law: for every claim of sums, the errors of an honest kernel keep the bound of the claim, and the worst is between 0.02 and 6 of the
 * errors expected of it, also for data that are not centered. Sums of fewer bits are detected.
 *
 * Why: the variance of a sum follows the sizes of its partial sums, and so its tree and its mean (Higham, *Accuracy and Stability of
 * Numerical Algorithms*, §4.2; Higham and Mary 2019).
 */
const hardware = (accumulator: { terms: number; bits: number; promoted?: number }): Claims => ({
  arithmetic: { rounding: 'toward-zero', accumulator },
});
const random = createRandom(7, 7);
const sums = sumsIn(f32);

const kernels: Readonly<Record<string, readonly [SumFunction, Claims]>> = {
  'one after the other, nothing claimed': [sums.sequential, {}],
  'fused, nothing claimed': [sums.fused, {}],
  'backwards, sequential': [reversed(sums.sequential), { order: 'sequential' }],
  'halves of halves': [sums.pairwise(1), { order: 'pairwise', partition: 1 }],
  'halves of halves, of 128 terms, not said': [sums.pairwise(128), { order: 'pairwise' }],
  'halves of halves, of one term, not said': [sums.pairwise(1), { order: 'pairwise' }],
  'blocks of 256': [sums.blocked(256), { order: 'blocked', partition: 256 }],
  'blocks, not said of how many': [sums.blocked(256), { order: 'blocked' }],
  'eight parts': [
    grouped(partsOf(8), sums.sequential, sums.sequential),
    { order: 'split-k', parts: 8, cut: 'even' },
  ],
  'eight parts, the rest in the last, which comes first': [
    grouped(fromLast(restLast(8)), sums.sequential, sums.sequential),
    { order: 'split-k', parts: 8, cut: 'rest-last' },
  ],
  'eight parts of whole tiles': [
    grouped(tilesOf(8, 48), sums.sequential, sums.sequential),
    { order: 'split-k', parts: 8, cut: { tile: 48 } },
  ],
  'eight parts, not said how they are cut': [
    grouped(partsOf(8), sums.sequential, sums.sequential),
    { order: 'split-k', parts: 8 },
  ],
  'in doubles': [sums.inDoubles, { arithmetic: { accumulator: { bits: 53 } } }],
  'in doubles, of whole products': [
    sums.inDoubles,
    { arithmetic: { fma: 'once', accumulator: { bits: 53 } } },
  ],
  'in doubles, of products that are rounded': [
    sums.inDoublesRounded,
    { arithmetic: { fma: 'twice', accumulator: { bits: 53 } } },
  ],
  'in doubles, of products that are rounded, which is not said': [
    sums.inDoublesRounded,
    { arithmetic: { accumulator: { bits: 53 } } },
  ],
  'in 30 bits by 64, of products that are rounded, then singles': [
    sums.blocked(64, sums.inDoublesRounded),
    { arithmetic: { accumulator: { bits: 30, promoted: 64 } } },
  ],
  'in doubles by 64, then singles': [
    sums.blocked(64, sums.inDoubles),
    { arithmetic: { accumulator: { bits: 53, promoted: 64 } } },
  ],
  'in 16 bits by 64, then singles': [
    sums.blocked(64, sums.inBits(16)),
    { arithmetic: { accumulator: { bits: 16, promoted: 64 } } },
  ],
  Kahan: [sums.kahan, { arithmetic: { accumulator: { compensated: 'kahan' } } }],
  Neumaier: [sums.neumaier, { arithmetic: { accumulator: { compensated: 'neumaier' } } }],
  'toward zero': [sums.towardZero, { arithmetic: { rounding: 'toward-zero' } }],
  'at random': [sums.stochastic(() => random.uniform(0, 1)), { arithmetic: { rounding: 'stochastic' } }],
  'small terms first': [sorted(sums.sequential), { order: 'data-dependent' }],
  'signs apart': [sums.signsApart, { order: 'signs-apart' }],
  'signs apart, cut off': [
    sums.signsApartCut,
    { order: 'signs-apart', arithmetic: { rounding: 'toward-zero' } },
  ],
  'signs apart, of what is sorted': [sums.signsApart, { order: 'data-dependent' }],
  'four terms in 24 bits': [sums.atOnce(4, 24), hardware({ terms: 4, bits: 24 })],
  'eight terms in 26 bits': [sums.atOnce(8, 26), hardware({ terms: 8, bits: 26 })],
  '32 terms in 14 bits by 128, then singles': [
    sums.blockedCut(128, sums.atOnce(32, 14)),
    hardware({ terms: 32, bits: 14, promoted: 128 }),
  ],
};

/** Entries of A. Those of B are of the same kind, unless they are weights. */
const families: Readonly<Record<string, (random: Random, of: 'a' | 'b') => number>> = {
  uniform: (random) => random.uniform(-1, 1),
  'uniform on [0, 1)': (random) => random.uniform(0, 1),
  'uniform on [2, 5]': (random) => random.uniform(2, 5),
  'ReLU of a normal': (random) => Math.max(0, random.normal()),
  'ReLU of a normal, by a normal': (random, of) =>
    of === 'a' ? Math.max(0, random.normal()) : random.normal(),
  'softmax of a normal': (random, of) => (of === 'a' ? Math.exp(random.normal()) : random.uniform(0, 1)),
};

const SIDE = 6;
interface Operands {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly columns: Float32Array;
  readonly exact: ReturnType<typeof exactProduct>;
}

function operandsOf(family: string, k: number): Operands {
  const drawn = createRandom(k, 5);
  const draw = (of: 'a' | 'b') => Float32Array.from({ length: SIDE * k }, () => families[family](drawn, of));
  const a = matrix(SIDE, k, draw('a'));
  const columns = draw('b');
  if (family.startsWith('softmax')) {
    for (let i = 0; i < SIDE; i++) {
      const row = (a.data as Float32Array).subarray(i * k, (i + 1) * k);
      const sum = row.reduce((total, x) => total + x, 0);
      for (let p = 0; p < k; p++) row[p] /= sum;
    }
  }
  const entries = Float32Array.from(columns, (_, e) => columns[(e % SIDE) * k + Math.floor(e / SIDE)]);
  const b = matrix(k, SIDE, entries);
  return { a, b, columns, exact: exactProduct(a, b) };
}

/** Returns the worst error relative to the expected one, the root mean square of that ratio, and the worst error relative to the bound. */
function standing(sum: SumFunction, claims: Claims, { a, b, columns, exact }: Operands) {
  const k = a.cols;
  const shape = { m: SIDE, k, n: SIDE };
  const { sigma, bound } = analyze(claimedPlan(claims, shape), a, b, applyClaims(singlePrecision, claims));
  const lines = (data: Float32Array, at: number) => data.subarray(at * k, (at + 1) * k);
  const errors = Array.from(sigma.data, (_, e) => {
    const [i, j] = [Math.floor(e / SIDE), e % SIDE];
    const computed = sum(productsOf(lines(a.data as Float32Array, i), lines(columns, j)));
    return Math.abs(computed - exact.product.data[e] - exact.low[e]);
  });
  const ratios = errors.map((error, e) => error / sigma.data[e]);
  return {
    worst: Math.max(...ratios),
    typical: Math.hypot(...ratios) / SIDE,
    used: Math.max(...errors.map((error, e) => error / bound.data[e])),
  };
}

describe.each(inShort([...Object.keys(families).entries()], 4))('%i: of %s', (number, family) => {
  const operands = [32_768, 1000, 3].map((k) => operandsOf(family, k));

  test.each(some(Object.entries(kernels), 20, number))('%s', (name, [dot, claims]) => {
    const [long, ...short] = operands.map((one) => standing(dot, claims, one));
    // An unclaimed order is judged by the largest error of all orders that it may have.
    const least = name.includes('not said') ? 0.005 : 0.02;
    expect(long.worst).toBeGreaterThan(least);
    for (const { worst, used } of [long, ...short]) {
      expect(worst).toBeLessThan(6);
      expect(used).toBeLessThanOrEqual(1);
    }
  });

  itWhole(
    'sums of fewer bits have larger errors: of four fewer beyond six sigmas, of two more than is ever expected',
    () => {
      const [four, two, none] = [20, 22, 24].map((bits) => standing(sums.inBits(bits), {}, operands[0]));
      expect(four.worst).toBeGreaterThan(6);
      expect(two.typical).toBeGreaterThan(1.8 * none.typical);
      expect(none.typical).toBeLessThan(0.7);
    },
  );

  test('sums of four fewer bits by signs apart do not keep to what is expected of these', () => {
    const sum: SumFunction = (products) =>
      sums.inBits(20)(products.filter((x) => x > 0)) + sums.inBits(20)(products.filter((x) => x < 0));
    expect(standing(sum, { order: 'signs-apart' }, operands[1]).worst).toBeGreaterThan(6);
  });
});
