import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { findAlgorithm } from '../src/algorithms/algorithms.ts';
import { sharedGrowth } from '../src/algorithms/growth.ts';
import { itWhole } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { stillClock } from '../src/base/time.ts';
import { boundUse } from '../src/evidence/checks/running-bound.ts';
import { errorsInSigmas } from '../src/evidence/checks/sigma.ts';
import { weigh } from '../src/evidence/weigh.ts';
import { findInput } from '../src/inputs/inputs.ts';
import { contradictions, promisesOf } from '../src/inspect/contradictions.ts';
import { inspectKernel } from '../src/inspect/inspect-kernel.ts';
import { type Kernel, type KernelJob, sessionOf } from '../src/kernels/kernel.ts';
import { compile } from '../src/plan/compile.ts';
import type { Plan, Step } from '../src/plan/plan.ts';
import { analyze } from '../src/readers/analysis.ts';
import { runModel } from '../src/readers/model.ts';
import { seeds, shapes } from './arbitraries.ts';
import { law } from './law.ts';
import { NEAREST } from './simulated-device.ts';

/**
 * The law: products that are added to C in any order stay within the running bound of their plan, and near its expected error. And: inspect
 * sees that the order changes from run to run, and a claim to the contrary is disproved.
 *
 * Why: for each product, the bound counts every partial sum that it may be part of. A device that takes the products of a dispatch in turn
 * shows but one order. So a model that shuffles them gives the others.
 */
const planOf = (algorithm: string, shape: { m: number; k: number; n: number }, levels: number) =>
  compile({ algorithm: findAlgorithm(algorithm), shape, depth: { levels }, style: 'atomic' });

/** Returns the plan with its products in another order, after the steps that prepare C. */
function shuffled(plan: Plan, seed: number): Plan {
  const [first, ...products] = plan.steps;
  const order = createRandom(seed, 3).permutation(products.length);
  return { ...plan, steps: [first, ...Array.from(order, (at): Step => products[at])] };
}

const values = fc.record({
  algorithm: fc.constantFrom('strassen', 'winograd'),
  levels: fc.constantFrom(1, 2),
  input: fc.constantFrom('uniform', 'wide-exponents', 'scaled-rows'),
  shape: shapes(33),
  seed: seeds,
});

describe('products added in any order', () => {
  law('stay within the bound', 60, values, ({ algorithm, levels, input, shape, seed }) => {
    const plan = planOf(algorithm, shape, levels);
    const { a, b } = findInput(input).generate({ ...shape, levels, growth: sharedGrowth(), seed });
    const product = { c: runModel(shuffled(plan, seed), a, b, NEAREST), unwritten: 0, overwritten: 0 };
    const analysis = analyze(plan, a, b, NEAREST);
    const job = { kernel: { ...NEAREST, algorithm, leaf: '' }, plan, operands: { a, b } };
    const judged = { ...weigh(job, [product], { analysis }), analysis };
    expect(boundUse(judged).beyond).toBe(0);
    if (input === 'uniform') expect(Math.max(...errorsInSigmas(judged))).toBeLessThan(6);
  });

  itWhole('are seen by inspect, and disprove a claim to be deterministic', async () => {
    let run = 0;
    const kernel = (deterministic: boolean): Kernel => ({
      name: 'strassen:shuffled',
      algorithm: 'strassen',
      growth: sharedGrowth(),
      leaf: 'shuffled',
      ...NEAREST,
      claims: { algorithm: 'strassen', deterministic },
      plan: (shape) => planOf('strassen', shape, 1),
      session: sessionOf(({ plan, operands: { a, b } }: KernelJob) =>
        runModel(shuffled(plan, run++), a, b, NEAREST),
      ),
    });
    const method = { levels: 1, fringe: 'pad', tail: 'mask' } as const;
    const inspection = await inspectKernel(kernel(true), {
      quick: true,
      sizes: [32],
      method,
      clock: stillClock,
    });
    expect(inspection.measures.deterministic).toBe(false);
    const said = (deterministic: boolean) =>
      contradictions(inspection, promisesOf(kernel(deterministic), method)).filter((one) =>
        one.includes('deterministic'),
      );
    expect(said(true)).toHaveLength(1);
    expect(said(false)).toHaveLength(0);
  });
});
