import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { algorithms, findAlgorithm } from '../src/algorithms/algorithms.ts';
import { TINY } from '../src/formats/arithmetic32.ts';
import type { Case } from '../src/gate/case.ts';
import { compile } from '../src/plan/compile.ts';
import type { Plan } from '../src/plan/plan.ts';
import { analyse } from '../src/readers/analysis.ts';
import { exactProduct } from '../src/reference/exact.ts';
import { cases, expand, finiteInputs, seeds, someLevels } from './arbitraries.ts';
import { largestUse } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';
import { arithmeticOf, orders, ROUND_TO_NEAREST, roundings, simulate } from './simulated-device.ts';

/**
 * The law: |Ĉ − C| never exceeds the running bound, on any device with the unit roundoff the bound was made for:
 * fused or not, summing in any order, flushing subnormals or keeping them, and with u = 2^-23 choosing either
 * neighbour as it likes.
 *
 * Why: Higham's γ_k covers every order of summation of k products, and each rounding of the plan adds at most u
 * times the value a device may hold there, which is within twice the bound so far of the mirror's. The inputs
 * include those that make all rounding errors add up.
 */
const gpu = await openGpu();

const NAMES = algorithms.map(({ name }) => name);

function planOf({ kernel, levels, border, edge, m, k, n }: Case): Plan {
  const algorithm = findAlgorithm(kernel);
  return compile({
    algorithm,
    shape: { m, k, n },
    depth: { levels },
    border,
    edge,
    tile: { m: 4, k: 4, n: 4 },
  });
}

const arithmetics = [false, true].flatMap((fused) => [
  { ...ROUND_TO_NEAREST, fused },
  ...Object.values(TINY).flatMap((flushesBelow) =>
    [false, true].map((flushesOperands) => ({
      ...ROUND_TO_NEAREST,
      fused,
      flushesOperands,
      flushesBelow,
      flushesSubnormals: true,
    })),
  ),
]);

describe('no error exceeds the running bound', () => {
  const small = cases({ kernels: NAMES, inputs: finiteInputs, levels: fc.nat(3), largest: 17 });

  law(
    'of mirrored arithmetics',
    1500,
    fc.tuple(small, fc.constantFrom(...arithmetics)),
    ([value, arithmetic]) => {
      const { a, b } = expand(value);
      const { mirror, bound } = analyse(planOf(value), a, b, arithmetic);
      expect(largestUse(mirror, exactProduct(a, b), bound)).toBeLessThanOrEqual(1);
    },
  );

  const manners = fc.record({
    rounding: fc.constantFrom(...roundings),
    order: fc.constantFrom(...orders),
    fused: fc.boolean(),
    flushes: fc.boolean(),
    seed: seeds,
  });
  const used = new Map<string, number>();
  law('of simulated devices', 2000, fc.tuple(small, manners), ([value, manner]) => {
    const { a, b } = expand(value);
    const plan = planOf(value);
    const { bound } = analyse(plan, a, b, arithmeticOf(manner));
    const use = largestUse(simulate(plan, a, b, manner), exactProduct(a, b), bound);
    used.set(manner.rounding, Math.max(use, used.get(manner.rounding) ?? 0));
    expect(use).toBeLessThanOrEqual(1);
  });
  afterAll(() => {
    const shares = roundings.map(
      (rounding) => `${rounding} ${(100 * (used.get(rounding) ?? 0)).toFixed(0)} %`,
    );
    console.log(`The largest share of its bound that an error used: ${shares.join(', ')}.`);
  });

  const kernels = ['classical:register', 'strassen:naive', 'winograd:register-8x16'];
  law(
    'of the device',
    300,
    cases({ kernels, inputs: finiteInputs, levels: someLevels, largest: 40 }),
    async (value) => {
      const { a, b } = expand(value);
      const { bound } = gpu.analyse(value, a, b);
      const product = await gpu.multiply(value, a, b);
      expect(largestUse(product, exactProduct(a, b), bound)).toBeLessThanOrEqual(1);
    },
  );
});
