import { describe, expect, it } from 'vitest';
import type { CoefficientRows } from '../../src/algorithms/algorithm.ts';
import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { defineAlgorithm } from '../../src/algorithms/define-algorithm.ts';
import { levelGrowth } from '../../src/algorithms/growth.ts';
import { inShort, itWhole } from '../../src/base/in-short.testing.ts';
import { createRandom } from '../../src/base/random.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { computationIn } from '../../src/gpu/computation.ts';
import { requireProduct } from '../../src/gpu/runner/product.ts';
import { runDeviceJobs } from '../../src/gpu/runner/run.ts';
import { compileProgram } from '../../src/gpu/wgsl/dispatches.ts';
import { findLeaf } from '../../src/gpu/wgsl/leaves/leaves.ts';
import { findInput } from '../../src/inputs/inputs.ts';
import type { Matrix } from '../../src/matrix/dense.ts';
import type { Scaling } from '../../src/matrix/factor.ts';
import { compile } from '../../src/plan/compile.ts';
import { countLevels, cutsOf, pathOfEntry } from '../../src/plan/path.ts';
import { type Plan, type Style, styles } from '../../src/plan/plan.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { singleComputation } from '../../src/precision/single.ts';
import { fringes } from '../../src/problem/method.ts';
import { aPriori } from '../../src/readers/a-priori.ts';
import { analyze } from '../../src/readers/analysis.ts';
import { cost } from '../../src/readers/cost.ts';
import { describePlan } from '../../src/readers/describe.ts';
import { expectSameBits, expectSameNumbers } from '../compare.ts';
import { openGpu } from '../device.ts';
import { skewed } from '../skewed.ts';
import { inThirds } from '../thirds.ts';

/**
 * The contract: every style, reader and fringe serves any table that satisfies Brent's equations, with dyadic factors or fractions such as
 * 1/3. Device and model agree to the last bit. No registry has the table here: ⟨3,2,4;24⟩ by definition, in a skewed basis.
 */

const algorithm = skewed();
const gpu = await openGpu();
const { open } = gpu;
const shape = { m: 19, k: 13, n: 22 };
const all = Object.keys(styles) as Style[];

const cases = all.flatMap((style) => fringes.map((fringe) => ({ style, fringe, levels: 1 })));

function operands(input: string, levels: number): { a: Matrix; b: Matrix } {
  return findInput(input).generate({ ...shape, levels, growth: levelGrowth(algorithm), seed: 3 });
}

async function onDevice(plan: Plan, { a, b }: { a: Matrix; b: Matrix }, precision = 'f32', before?: Matrix) {
  const computation = await computationIn(open, precisions.find(precision));
  const made = compileProgram(plan, findLeaf('register', plan.leaf), computation.numeric);
  const job = { plan, made, a, b, c: before, kernel: 'skewed' };
  const run = requireProduct((await runDeviceJobs(open, [job]))[0]);
  expect(run).toMatchObject({ unwritten: 0, overwritten: 0, changed: 0 });
  return { c: run.c, analysis: analyze(plan, a, b, computation, before), computation };
}

const largest = (rows: CoefficientRows) => Math.max(...rows.flat().map(Math.abs));

it('has factors from −6 to 6, 2 and −3 among them, and needs more blocks than a launch binds', () => {
  const { u, v, w } = algorithm;
  expect([largest(u), largest(v), largest(w)]).toEqual([6, 4, 6]);
  const factors = new Set([u, v, w].flat(2));
  for (const factor of [2, -3, -6]) expect(factors.has(factor)).toBe(true);
  const blocks = u.map((_, r) => [u[r], v[r], w[r]].flat().filter((factor) => factor !== 0).length);
  expect(Math.max(...blocks)).toBeGreaterThan(8);
});

describe('a skewed ⟨3,2,4;24⟩', () => {
  itWhole.each(cases)(
    '$style, $fringe, $levels levels: the device is the model',
    async ({ style, fringe, levels }) => {
      const plan = compile({ algorithm, shape, depth: { levels }, fringe, style });
      for (const step of plan.steps) {
        const read = step.kind === 'multiply' && step.primitive === undefined ? 2 : 0;
        if (read > 0 || step.kind === 'combine') expect(step.slots.length + read).toBeLessThanOrEqual(8);
      }
      for (const input of ['integers', 'uniform']) {
        const pair = operands(input, levels);
        const { c, analysis } = await onDevice(plan, pair);
        const exact = exactProduct(pair.a, pair.b).product;
        if (input === 'integers') expectSameNumbers(c, exact);
        if (styles[style].ordered) expectSameBits(c, analysis.model);
        const beyond = c.data.findIndex(
          (value, e) => Math.abs(value - exact.data[e]) > analysis.bound.data[e] + 2 ** -50,
        );
        expect(beyond).toBe(-1);
        // The value has the order of magnitude of the errors, so that neither zero nor an arbitrary value passes.
        const worst = Math.max(
          ...Array.from(
            c.data,
            (value, e) => Math.abs(value - exact.data[e]) / (analysis.sigma.data[e] || 1),
          ),
        );
        if (input === 'uniform') expect(worst).toBeLessThan(6);
      }
    },
  );

  // Elsewhere shaders take seconds to compile, and most products here have one of their own.
  itWhole.each(['bf16-f32'])('in %s, fused', async (precision) => {
    const plan = compile({ algorithm, shape, depth: { levels: 1 }, style: 'fused' });
    const given = { ...shape, levels: 1, growth: levelGrowth(algorithm), seed: 4 };
    const pair = findInput('uniform').generate({ ...given, precision: precisions.find(precision) });
    const { c, analysis } = await onDevice(plan, pair, precision);
    expectSameBits(c, analysis.model);
  });

  itWhole.each(['fused', 'hybrid', 'atomic'] as const)('%s, with alpha and beta', async (style) => {
    const scaling: Scaling = { alpha: -1.5, beta: 0.75 };
    const plan = compile({ algorithm, shape, depth: { levels: 1 }, style, scaling });
    const random = createRandom(5, 1);
    const entries = Float32Array.from({ length: shape.m * shape.n }, () => random.uniform(-1, 1));
    const before = { rows: shape.m, cols: shape.n, data: entries };
    const { c, analysis } = await onDevice(plan, operands('uniform', 1), 'f32', before);
    if (styles[style].ordered) expectSameBits(c, analysis.model);
    const apart = c.data.findIndex(
      (x, e) => Math.abs(x - analysis.model.data[e]) > 2 * analysis.bound.data[e],
    );
    expect(apart).toBe(-1);
  });

  it.each(inShort(cases, 3))(
    '$style, $fringe, $levels levels: every reader reads it',
    ({ style, fringe, levels }) => {
      const plan = compile({ algorithm, shape, depth: { levels }, fringe, style });
      const described = describePlan(plan);
      const fused = Math.min(levels, styles[style].levels);
      expect(described.products).toBeGreaterThanOrEqual(24 ** levels);
      expect(described.algorithm.name).toBe('skewed');
      if (fused === 0) expect(described.listings.flatMap(({ rows }) => rows).length).toBeGreaterThan(24);
      expect(cost(plan.steps).arithmetics).toBeGreaterThan(24 ** levels);
      const pair = operands('uniform', levels);
      const { model, bound } = analyze(plan, pair.a, pair.b, singleComputation(open.arithmetic));
      const exact = exactProduct(pair.a, pair.b).product;
      const { factor } = aPriori(plan, 2 ** -23);
      for (let e = 0; e < exact.data.length; e++) {
        const error = Math.abs(model.data[e] - exact.data[e]);
        expect(error).toBeLessThanOrEqual(factor);
        expect(bound.data[e]).toBeLessThanOrEqual(2 * factor);
      }
      expect(countLevels(cutsOf(plan))).toBe(plan.levels);
      expect(pathOfEntry(0, 0, plan)).toHaveLength(plan.levels);
    },
  );
});

describe('Strassen’s table in a basis with thirds', () => {
  const thirds = defineAlgorithm(inThirds(findAlgorithm('strassen'), 'mixed-thirds'));
  // Most products have a shader of their own, which takes seconds to compile in most precisions.
  const asked = [
    ...all.map((style) => ({ style, precision: 'f32' })),
    ...['f16', 'f16-f32'].map((precision) => ({ style: 'fused' as const, precision })),
  ];

  itWhole.each(asked)('$style in $precision: the device is the model', async ({ style, precision }) => {
    const levels = 1;
    const plan = compile({ algorithm: thirds, shape, depth: { levels }, style });
    const given = { ...shape, levels, growth: levelGrowth(thirds), seed: 3 };
    const pair = findInput('uniform').generate({ ...given, precision: precisions.find(precision) });
    const { c, analysis } = await onDevice(plan, pair, precision);
    if (styles[style].ordered) expectSameBits(c, analysis.model);
    const exact = exactProduct(pair.a, pair.b).product;
    const used = c.data.map((x, e) => Math.abs(x - exact.data[e]) / analysis.bound.data[e]);
    expect(Math.max(...used)).toBeLessThan(1);
  });

  it('is asked for no whole numbers', () => {
    const given = { ...shape, levels: 1, growth: levelGrowth(thirds) };
    for (const name of ['integers', 'identity', 'bytes', 'wild-integers'])
      expect(findInput(name).accepts(given)).toEqual({ ok: false, reason: expect.stringContaining('1/3') });
    expect(findInput('integers').accepts({ ...given, levels: 0 }).ok).toBe(true);
  });
});
