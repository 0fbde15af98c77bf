import { afterAll, describe, expect, test } from 'vitest';
import { algorithms } from '../../src/algorithms/algorithms.ts';
import { growthOfKernel, sharedGrowth } from '../../src/algorithms/growth.ts';
import { defaultThresholds } from '../../src/evidence/checks/check.ts';
import { builtinItems } from '../../src/evidence/items.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { defaultCampaign } from '../../src/gate/campaign.ts';
import { planCampaign } from '../../src/gate/plan-campaign.ts';
import { computationIn } from '../../src/gpu/computation.ts';
import { openNodeDevice } from '../../src/gpu/node/open.ts';
import { findInput, inputs } from '../../src/inputs/inputs.ts';
import { builtinKernel } from '../../src/kernels/builtin.ts';
import { multiply } from '../../src/kernels/kernel.ts';
import { compile } from '../../src/plan/compile.ts';
import { emulated } from '../../src/precision/arithmetic.ts';
import { definePrecision, makeNarrowNumeric } from '../../src/precision/define-precision.ts';
import { binaryFormat, f32 } from '../../src/precision/format.ts';
import type { Precision } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { fringes } from '../../src/problem/method.ts';
import { analyze } from '../../src/readers/analysis.ts';
import { noBaselines } from '../../src/run/baselines.ts';
import { judgeInNode } from '../../src/run/node/judge.ts';
import { makeRunCatalog } from '../../src/run/run-catalog.ts';
import { expectSameBits, largestUse } from '../compare.ts';

/**
 * The contract: a precision is one record. The test brings an unknown format of 7 significand and 4 exponent bits. The model and generated
 * code round to it alike, its bounds and expected errors hold, and the gate judges it. If the device's code rounds to one bit less than the
 * record says, the gate fails.
 */
const format = binaryFormat('e4m6', 7, -6);
const throughout = definePrecision({ name: 'e4m6', what: 'e4m6 throughout', stored: format });
const operands = definePrecision({
  name: 'e4m6-f32',
  what: 'binary32 entries, rounded to e4m6 before they are multiplied',
  stored: f32,
  multiplied: format,
});

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

/** Every finite number of the format that is not negative, in order. */
const numbers = Array.from({ length: 14 * 64 + 64 }, (_, at) => {
  const [exponent, fraction] = [Math.floor(at / 64), at % 64];
  return exponent === 0 ? fraction * 2 ** -12 : (64 + fraction) * 2 ** (exponent - 13);
});

/** Returns the nearest of these numbers, and of two the one with an even index, without the product's own arithmetic. */
function nearest(x: number): number {
  const size = Math.abs(x);
  if (size >= 255) return x > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  let best = 0;
  for (let at = 1; at < numbers.length; at++) {
    const [gain, tie] = [Math.abs(size - numbers[best]) - Math.abs(size - numbers[at]), at % 2 === 0];
    if (gain > 0 || (gain === 0 && tie)) best = at;
  }
  return Math.sign(x) * numbers[best];
}

const shape = { m: 13, k: 17, n: 11 };
const kernels = [
  'classical:naive',
  'classical:tiled-4',
  'strassen:naive',
  'winograd:register',
  'strassen:wide',
];

test('the model rounds every product and every sum to the format', () => {
  const { a, b } = findInput('uniform').generate({ ...shape, seed: 1, precision: throughout });
  const plan = compile({ algorithm: algorithms[0], shape });
  const { model } = analyze(plan, a, b, { precision: throughout, arithmetic: emulated });
  const { m, k, n } = shape;
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let p = 0; p < k; p++) sum = nearest(sum + nearest(a.data[i * k + p] * b.data[p * n + j]));
      expect(model.data[i * n + j]).toBe(sum);
    }
  }
  expect(plan.algorithm.name).toBe('classical');
});

describe.each([throughout, operands])('$name', (precision) => {
  const families = inputs.filter(
    (family) => family.accepts({ ...shape, levels: 1, growth: sharedGrowth(), precision }).ok,
  );

  test('is accepted by inputs', () => {
    expect(families.length).toBeGreaterThan(5);
  });

  test.each(kernels)('%s on the device is the model, within bound and sigmas', async (name) => {
    const computation = await computationIn(open, precision);
    const kernel = builtinKernel(name, open, undefined, computation);
    for (const { name: input, generate, statistics } of families) {
      for (const [levels, fringe] of [0, 1].flatMap((levels) =>
        fringes.map((one) => [levels, one] as const),
      )) {
        const { a, b } = generate({ ...shape, levels, growth: growthOfKernel(name), seed: 5, precision });
        const plan = kernel.plan(shape, { levels, fringe, tail: 'mask' });
        const { c } = await multiply({ kernel, plan, operands: { a, b } });
        const { model, bound, sigma } = analyze(plan, a, b, kernel);
        expectSameBits(c, model);
        if (input === 'special-values') continue;
        const exact = exactProduct(a, b);
        expect(largestUse(c, exact, bound)).toBeLessThanOrEqual(1);
        if (statistics !== 'random') continue;
        expect(largestUse(c, exact, sigma)).toBeLessThan(7);
        expect(Math.min(...sigma.data)).toBeGreaterThan(0);
      }
    }
  });
});

describe('a gate of it', () => {
  const campaign = {
    ...defaultCampaign,
    kernels: ['classical:naive', 'strassen:naive'],
    precisions: ['e4m6'],
    inputs: ['uniform', 'identity', 'special-values'],
    levels: [0, 1],
    shapes: [shape],
    shapesEach: 1,
  } as const;

  const gated = (precision: Precision) => {
    const items = { ...builtinItems, precisions: precisions.with([precision]) };
    const catalog = makeRunCatalog([], items);
    return judgeInNode({
      asked: planCampaign(campaign, catalog),
      sample: [],
      whole: false,
      adapter: 'software',
      thresholds: defaultThresholds,
      catalog,
      baselines: noBaselines,
      sessionOf: () => expect.fail('There are no kernels of others.'),
    });
  };

  test('passes, and every product is the model’s', async () => {
    const { verdict, reason, summary, cases } = await gated(throughout);
    expect(summary.run).toBeGreaterThanOrEqual(8);
    expect([verdict, reason]).toEqual(['pass', `All ${summary.run} cases passed.`]);
    expect(summary.equalToModel).toBe(summary.run);
    for (const value of cases) expect(value).toMatchObject({ precision: 'e4m6' });
  });

  test('fails where the device rounds to a bit less', async () => {
    const coarse = makeNarrowNumeric(binaryFormat('e4m5', 6, -6));
    const breach = { ...throughout, wgsl: () => ({ numeric: coarse, arithmetic: emulated }) };
    const { verdict, cases } = await gated(breach);
    expect(verdict).toBe('fail');
    expect(cases.filter(({ equalsModel }) => equalsModel === false).length).toBeGreaterThan(4);
  });

  test('of a name that is not registered is refused', () => {
    expect(() => planCampaign(campaign)).toThrow(/Unknown precision "e4m6"/);
  });
});
