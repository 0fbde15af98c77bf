import { describe, expect, test } from 'vitest';
import {
  blocksOf,
  grouped,
  partsOf,
  productsOf,
  restLast,
  type SumFunction,
  sumsIn,
  tilesOf,
  toBits,
} from '../lab/honest/sums.ts';
import { inShort } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { claimedPlan } from '../src/kernels/external-kernel.ts';
import { matrix } from '../src/matrix/dense.ts';
import { f32 } from '../src/precision/format.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { runModel } from '../src/readers/model.ts';

/**
 * The law: if the claims of sums determine every operation, the model equals the kernel, bit for bit.
 *
 * Why: the model follows the claim in integers of doubles, and the kernels here compute in binary32.
 */
const sums = sumsIn(f32);

/** Rounds the result of a sum. */
const then =
  (sum: SumFunction, round: (x: number) => number): SumFunction =>
  (products) =>
    round(sum(products));

const kernels: Readonly<Record<string, readonly [SumFunction, Claims]>> = {
  sequential: [sums.sequential, { order: 'sequential' }],
  'in halves': [sums.pairwise(1), { order: 'pairwise', partition: 1 }],
  'in halves of four': [sums.pairwise(4), { order: 'pairwise', partition: 4 }],
  'in blocks': [sums.blocked(5), { order: 'blocked', partition: 5 }],
  'in parts': [
    grouped(partsOf(3), sums.sequential, sums.sequential),
    { order: 'split-k', parts: 3, cut: 'even' },
  ],
  'in parts, the rest in the last': [
    grouped(restLast(3), sums.sequential, sums.sequential),
    { order: 'split-k', parts: 3, cut: 'rest-last' },
  ],
  'in parts of whole tiles': [
    grouped(tilesOf(3, 4), sums.sequential, sums.sequential),
    { order: 'split-k', parts: 3, cut: { tile: 4 } },
  ],
  'in parts that are kept and added in fewer bits': [
    grouped(partsOf(3), then(sums.sequential, toBits(8)), sums.inBits(8)),
    { order: 'split-k', parts: 3, cut: 'even', partialSums: { format: 'bf16', added: 'bf16' } },
  ],
  'in blocks that are kept in fewer bits': [
    grouped(blocksOf(5), then(sums.sequential, toBits(11)), sums.sequential),
    { order: 'blocked', partition: 5, partialSums: { format: 'tf32' } },
  ],
  'toward zero': [sums.towardZero, { arithmetic: { rounding: 'toward-zero' } }],
  'in 16 bits': [sums.inBits(16), { arithmetic: { accumulator: { bits: 16 } } }],
  'in doubles': [sums.inDoubles, { arithmetic: { accumulator: { bits: 53 } } }],
  'in doubles, of products that are rounded': [
    sums.inDoublesRounded,
    { arithmetic: { fma: 'twice', accumulator: { bits: 53 } } },
  ],
  'in 16 bits, promoted': [
    sums.blocked(8, sums.inBits(16)),
    { arithmetic: { accumulator: { bits: 16, promoted: 8 } } },
  ],
  Kahan: [sums.kahan, { arithmetic: { accumulator: { compensated: 'kahan' } } }],
  Neumaier: [sums.neumaier, { arithmetic: { accumulator: { compensated: 'neumaier' } } }],
  'Kahan, in parts': [
    grouped(partsOf(3), sums.kahan, sums.sequential),
    { order: 'split-k', parts: 3, cut: 'even', arithmetic: { accumulator: { compensated: 'kahan' } } },
  ],
  'four terms in 24 bits': [
    sums.atOnce(4, 24),
    { arithmetic: { rounding: 'toward-zero', accumulator: { terms: 4, bits: 24 } } },
  ],
  'eight terms in 26 bits': [
    sums.atOnce(8, 26),
    { arithmetic: { rounding: 'toward-zero', accumulator: { terms: 8, bits: 26 } } },
  ],
};

describe.each(['f32', 'f16-f32', 'bf16-f32'])('in %s', (name) => {
  const precision = precisions.find(name);

  test.each(inShort(Object.entries(kernels), 5))('%s', (_, [sum, claims]) => {
    for (const k of [1, 2, 7, 16, 64]) {
      const random = createRandom(k, 11);
      const draw = () =>
        Float32Array.from({ length: k }, () => random.uniform(-1, 1) * 2 ** random.int(-3, 3));
      for (let run = 0; run < 20; run++) {
        const [x, y] = [draw(), draw()];
        const plan = claimedPlan(claims, { m: 1, k, n: 1 });
        const model = runModel(plan, matrix(1, k, x), matrix(k, 1, y), applyClaims(precision, claims));
        const { round } = precision.multiplied;
        expect(model.data[0]).toBe(sum(productsOf(x.map(round), y.map(round))));
      }
    }
  });
});

test('operands are cut off, and their subnormal numbers flushed, where that is claimed', () => {
  const claims = { arithmetic: { operands: { rounding: 'toward-zero', subnormals: 'flushed' } } } as const;
  const product = (x: number) => {
    const [a, b] = [matrix(1, 1, Float32Array.of(x)), matrix(1, 1, Float32Array.of(1))];
    const plan = claimedPlan(claims, { m: 1, k: 1, n: 1 });
    return runModel(plan, a, b, applyClaims(precisions.find('f16-f32'), claims)).data[0];
  };
  expect(product(1 + 2 ** -10 + 2 ** -11 + 2 ** -12)).toBe(1 + 2 ** -10);
  expect(product(-(2 - 2 ** -20))).toBe(-(2 - 2 ** -10));
  expect(product(2 ** -15)).toBe(0);
  expect(product(2 ** -14)).toBe(2 ** -14);
});
