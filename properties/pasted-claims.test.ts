import { describe, expect } from 'vitest';
import { grouped, lanesOf, partsOf, restLast, sorted, sumsIn, tilesOf, toBits } from '../lab/honest/sums.ts';
import { algorithmRegistry } from '../src/algorithms/algorithms.ts';
import { itWhole } from '../src/base/in-short.testing.ts';
import { stillClock } from '../src/base/time.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { planCampaign } from '../src/gate/plan-campaign.ts';
import type { Machine } from '../src/gpu/device.ts';
import { claimOf } from '../src/inspect/claim.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import { tryClaim, withClaims } from '../src/inspect/try-claim.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import type { Kernel } from '../src/kernels/kernel.ts';
import { makeKernelCatalog } from '../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { findWrongClaims } from '../src/kernels/wrong-claims.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { bf16, f16, f32, tf32 } from '../src/precision/format.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { singlePrecision } from '../src/precision/single.ts';
import { formatCase } from '../src/problem/case.ts';
import { coded } from './coded-kernels.ts';
import {
  cutOff,
  inFixedPoint,
  inParts,
  inTwoParts,
  type Making,
  made,
  strassenFrom,
  strassenUpsideDown,
  sums,
} from './inspect-kernels.ts';
import { some } from './some.ts';
import { structures } from './sum-structures.ts';

/**
 * The law: the claim that an inspection prints is valid when pasted, a second inspection disproves none of it, and the gate passes the
 * products. Where no claim is printed, a sentence gives the reason.
 *
 * Why: a printed claim that fails after pasting costs an hour.
 */
const method = { levels: 0, fringe: 'pad', tail: 'mask' } as const;
const narrow = ({ m, k, n }: Shape) =>
  m * k * n > 2 ** 18 || m * n > 2 ** 14 ? 'it is kept small' : undefined;

const { fused, sequential, towardZero, kahan, neumaier, atOnce } = sumsIn(f32);
const single = Math.fround;
const exact = (x: number, y: number) => x * y;
const inBits = (bits: number) => (terms: Float64Array) => terms.reduce((sum, x) => toBits(bits)(sum + x), 0);

const flushed = (x: number) => (Math.abs(x) < 2 ** -126 ? 0 : x);

const cutsOf = (count: number) =>
  [restLast(count), tilesOf(count, 16), tilesOf(count, 32), tilesOf(count, 64)].map(
    (groups, at) =>
      [`${count} parts of cut ${at}`, { sum: grouped(groups, sequential, sequential) }] as const,
  );

type Strange = Pick<FunctionKernel<Float32Array>, 'name' | 'multiply'>;
const { honest }: { honest: readonly Strange[] } = await import(
  new URL('../fixtures/fast-kernels/first.js', import.meta.url).href
);

/** Makes an unknown author's fast kernel, without claims. */
function strange({ multiply }: Strange): Kernel {
  const spec = { name: 'x', multiply };
  return externalKernel(spec, openFunctionKernel(spec), applyClaims(singlePrecision));
}

const makings: readonly (readonly [string, Making | Kernel])[] = [
  ...Object.entries({ ...structures, ...sums }).map(([name, sum]) => [name, { sum }] as const),
  ['fused', { product: exact, sum: fused }],
  ['2 fused lanes', { product: exact, sum: grouped(lanesOf(2), fused, sequential) }],
  ['8 fused parts', { product: exact, sum: grouped(partsOf(8), fused, sequential) }],
  ['sorted', { sum: sorted(sequential) }],
  ['signs apart', { sum: sumsIn(f32).signsApart }],
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
  ['three parts, six products', { multiply: inParts(bf16, 3, 2) }],
  ['three parts, all products', { multiply: inParts(bf16, 3, 4) }],
  ['three parts of tf32', { multiply: inParts(tf32, 3, 4) }],
  ...[2, 4].flatMap((count) => cutsOf(count)),
  ...[2, 16].flatMap((count) => [
    [`${count} parts cut off`, { sum: grouped(partsOf(count), towardZero, sequential) }] as const,
    [`${count} lanes cut off`, { sum: grouped(lanesOf(count), towardZero, towardZero) }] as const,
    [`Kahan in ${count} parts`, { sum: grouped(partsOf(count), kahan, sequential) }] as const,
    [`Neumaier in ${count} lanes`, { sum: grouped(lanesOf(count), neumaier, sequential) }] as const,
  ]),
  ['bf16 operands and sums cut off', { precision: 'bf16-f32', operand: cutOff(8), sum: towardZero }],
  ['tf32 operands and sums cut off', { precision: 'tf32-f32', operand: cutOff(11), sum: towardZero }],
  ['f16 operands cut off', { precision: 'f16-f32', operand: cutOff(11), product: exact, sum: towardZero }],
  [
    '8 at once in 26 bits',
    { precision: 'f16-f32', operand: f16.round, product: exact, sum: atOnce(8, 26, single) },
  ],
  ['sums of 20 bits', { sum: inBits(20) }],
  ['entries of 23 bits', { operand: toBits(23) }],
  ['products flushed', { product: (x, y) => flushed(single(x * y)) }],
  [
    'NaN lost',
    {
      sum: (terms) =>
        single(sequential(terms.filter((x) => x >= 0)) + sequential(terms.filter((x) => x < 0))),
    },
  ],
  ['fixed point by rows', { multiply: inFixedPoint('line') }],
  ['strassen from 32', { multiply: strassenFrom(32) }],
  ['strassen in no table', { multiply: strassenUpsideDown }],
  ['strassen, blocks of f16', { multiply: strassenFrom(2, f16.round) }],
  ...['e4m3-row', 'mxfp8-e4m3', 'nvfp4', 'int8-row'].map(
    (precision) => [`coded ${precision}`, coded('x', { precision, to: 'sums' })] as const,
  ),
  ...some(honest, 8).map((one) => [`fast ${one.name}`, strange(one)] as const),
  ['strassen', { multiply: strassenFrom(2) }],
  ['fixed point', { multiply: inFixedPoint('matrix') }],
];

/** Reads the claims of a line of a config. */
const read = (claim: string): Claims => Function(`return { ${claim} }.claims`)() as Claims;

// The exact products of one campaign serve all kernels.
const evaluator = new Evaluator(exactProduct, { kept: 400 });
/** Sampling interval of the gate's cases. */
const EACH = 20;

/** Returns all results of the default gate on a kernel's products that are no pass. */
async function gated(kernel: Kernel, claims: Claims): Promise<string[]> {
  const { name, precision } = kernel;
  const spec = { name, precision: precision.name, claims, multiply: () => new Float32Array() };
  const cases = planCampaign({ ...defaultCampaign, kernels: [name] }, makeKernelCatalog([spec])).filter(
    ({ problem: { m, k, n } }) => m * k * n <= 2 ** 16 && kernel.refuses?.({ m, k, n }) === undefined,
  );
  const told: string[] = [];
  for (const value of cases.filter((_, at) => at % EACH === 0)) {
    const found = await evaluator.attempt({ case: value, kernel }, {} as Machine);
    const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
    if (verdict !== 'pass') told.push(`${formatCase(value)}: ${reason}`);
  }
  return told;
}

describe('a pasted claim', () => {
  const quickly = makings.map(([name, making]) => ({ name: `${name}, quickly`, making, quick: true }));
  const wholly = some(makings, 3).map(([name, making]) => ({ name, making, quick: false }));
  const asked = [...quickly, ...wholly];

  itWhole.each(asked)('of $name passes', async ({ making, quick }) => {
    const kernel = 'session' in making ? making : made('x', { refuses: narrow, ...making });
    const found = await inspectKernel(kernel, { quick, sizes: [16, 32], clock: stillClock });
    const unclaimed = await tryClaim(kernel, found);
    const claim = claimOf({ ...found, ...(unclaimed === undefined ? {} : { unclaimed }) }, kernel.precision);
    if (claim === undefined) {
      expect(unclaimed).toMatch(/\.$/);
      return;
    }
    const claims = read(claim);
    expect({ claim, wrong: findWrongClaims(claims, kernel.precision, algorithmRegistry) }).toEqual({
      claim,
      wrong: undefined,
    });
    const claimed = withClaims(kernel, claims);
    const again = await inspectKernel(claimed, { quick: true, sizes: [16, 32], clock: stillClock });
    expect({ claim, against: contradictions(again, promisesOf(claimed, method)) }).toEqual({
      claim,
      against: [],
    });
    expect({ claim, failed: await gated(claimed, claims) }).toEqual({ claim, failed: [] });
  });
});
