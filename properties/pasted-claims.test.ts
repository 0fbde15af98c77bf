import { describe, expect } from 'vitest';
import { stillClock } from '../src/base/clock.ts';
import { itWhole } from '../src/base/in-short.testing.ts';
import { seeded } from '../src/base/random.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import { grouped, lanesOf, partsOf, sorted, sumsIn, toBits } from '../src/gate/honest-sums.ts';
import { claimOf } from '../src/inspect/claim.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import { wrongSums } from '../src/kernels/claimed-sums.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { claimedPlan } from '../src/kernels/external-kernel.ts';
import { type Kernel, multiply } from '../src/kernels/kernel.ts';
import { type Matrix, matrix, type Shape } from '../src/matrix/dense.ts';
import { bf16, f16, f32, tf32 } from '../src/precision/format.ts';
import { claimedIn } from '../src/precision/precision.ts';
import {
  cutOff,
  inFixedPoint,
  inTwoParts,
  type Making,
  made,
  strassenFrom,
  sums,
} from './inspect-kernels.ts';
import { structures } from './sum-structures.ts';

/**
 * The law: the claim that an inspection prints passes what it is held to when it is pasted: it is valid, a second inspection disproves none
 * of it, and products keep its bound.
 *
 * Why: a claim that is printed to be pasted and then fails costs an hour.
 */
const method = { levels: 0, fringe: 'pad', tail: 'mask' } as const;
const narrow = ({ m, k, n }: Shape) =>
  m * k * n > 2 ** 18 || m * n > 2 ** 14 ? 'it is kept small' : undefined;

const { fused, sequential } = sumsIn(f32);
const exact = (x: number, y: number) => x * y;
const inBits = (bits: number) => (terms: Float64Array) => terms.reduce((sum, x) => toBits(bits)(sum + x), 0);

const makings: readonly (readonly [string, Making])[] = [
  ...Object.entries({ ...structures, ...sums }).map(([name, sum]) => [name, { sum }] as const),
  ['fused', { product: exact, sum: fused }],
  ['2 fused lanes', { product: exact, sum: grouped(lanesOf(2), fused, sequential) }],
  ['8 fused parts', { product: exact, sum: grouped(partsOf(8), fused, sequential) }],
  ['sorted', { sum: sorted(sequential) }],
  ['bf16 operands', { operand: bf16.round }],
  ['bf16 operands, as claimed', { precision: 'bf16-f32', operand: bf16.round }],
  ['cut off tf32', { precision: 'tf32-f32', operand: cutOff(11) }],
  ['tf32', { precision: 'tf32-f32', operand: tf32.round }],
  [
    '16 bits in lanes',
    { precision: 'bf16-f32', operand: bf16.round, sum: grouped(lanesOf(4), inBits(16), sequential) },
  ],
  ['products of 11 bits', { product: (x, y) => toBits(11)(x * y) }],
  ['f16 results', { precision: 'f16', sum: (terms) => f16.round(sequential(terms)) }],
  ['two parts', { multiply: inTwoParts }],
  ['strassen', { multiply: strassenFrom(2) }],
  ['fixed point', { multiply: inFixedPoint('matrix') }],
];

/** The claims of a line of a config. */
const read = (claim: string): Claims => Function(`return { ${claim} }.claims`)() as Claims;

/** Products of random numbers of several shapes, as a kernel makes them. */
async function verdicts(kernel: Kernel, claims: Claims): Promise<string[]> {
  const random = seeded(11, 0);
  const told: string[] = [];
  for (const [m, k, n] of [
    [5, 7, 3],
    [8, 64, 8],
    [16, 256, 4],
    [1, 1024, 2],
  ]) {
    for (const least of [-1, 0]) {
      const { round } = kernel.precision.a;
      const of = (rows: number, cols: number): Matrix =>
        matrix(
          rows,
          cols,
          Float32Array.from({ length: rows * cols }, () => round(random.uniform(least, 1))),
        );
      const [a, b] = [of(m, k), of(k, n)];
      const plan = claimedPlan(claims, { m, k, n });
      const { c } = await multiply({ kernel, plan, operands: { a, b } });
      const { verdict, reason } = judgeProduct(c, a, b, { precision: kernel.precision.name, claims });
      if (verdict === 'fail') told.push(reason);
    }
  }
  return told;
}

describe('a pasted claim', () => {
  const asked = makings.flatMap(([name, making]) =>
    [true, false].map((quick) => ({ name: `${name}${quick ? ', quickly' : ''}`, making, quick })),
  );

  itWhole.each(asked)('of $name passes', async ({ making, quick }) => {
    const kernel = made('x', { refuses: narrow, ...making });
    const found = await inspectKernel(kernel, { quick, sizes: [16, 32], clock: stillClock });
    const claim = claimOf(found, kernel.precision);
    if (claim === undefined) return;
    const claims = read(claim);
    expect({ claim, wrong: wrongSums(claims, kernel.precision) }).toEqual({ claim, wrong: undefined });
    const pasted = made('x', { refuses: narrow, ...making, claims });
    const plan = (shape: Shape) => claimedPlan(claims, shape);
    const claimed = {
      ...pasted,
      ...claimedIn(kernel.precision, claims),
      algorithm: claims.algorithm ?? 'classical',
      plan,
      followsPlan: false,
    };
    const again = await inspectKernel(claimed, { quick: true, sizes: [16, 32], clock: stillClock });
    expect({ claim, against: contradictions(again, promisesOf(claimed, method)) }).toEqual({
      claim,
      against: [],
    });
    expect({ claim, failed: await verdicts(claimed, claims) }).toEqual({ claim, failed: [] });
  });
});
