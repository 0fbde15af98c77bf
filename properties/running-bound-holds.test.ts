import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { algorithms, findAlgorithm } from '../src/algorithms/algorithms.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { compile } from '../src/plan/compile.ts';
import type { Plan } from '../src/plan/plan.ts';
import { emulated } from '../src/precision/arithmetic.ts';
import { f16, f32, tinyOf } from '../src/precision/format.ts';
import { kindNames } from '../src/precision/kinds.testing.ts';
import type { Computation } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import type { Case } from '../src/problem/case.ts';
import { analyze } from '../src/readers/analysis.ts';
import { cases, expand, finiteInputs, seeds, someLevels, toFormat } from './arbitraries.ts';
import { largestUse } from './compare.ts';
import { openGpu } from './device.ts';
import { law, lawOfLongRuns } from './law.ts';
import { computationOf, type Manners, orders, roundings, simulate } from './simulated-device.ts';

/**
 * The law: |Ĉ − C| never exceeds the running bound, in any precision, on any device with the unit roundoff of the bound: fused or not,
 * summing in any order, flushing subnormals or keeping them, and with 2u choosing either neighbor. Only the model computes as devices in
 * binary64 or in pairs do.
 *
 * Why: Higham's γ_k covers every order of summation of k products. Each rounding of the plan adds at most u times the value that a device
 * may hold there, which is within twice the bound so far of the model's. The inputs include those that make all rounding errors add up.
 */
const gpu = await openGpu();

const NAMES = algorithms.map(({ name }) => name);

function planOf({ kernel, method: { levels, fringe, tail }, problem: { m, k, n } }: Case): Plan {
  const algorithm = findAlgorithm(kernel);
  return compile({
    algorithm,
    shape: { m, k, n },
    depth: { levels },
    fringe,
    tail,
    tile: { m: 4, k: 4, n: 4 },
  });
}

/** Returns the ways in which a device may compute in a precision, as far as the model knows them. */
function computationsIn(name: string): Computation[] {
  const precision = precisions.find(name);
  if (name === 'f64') return [{ precision, arithmetic: emulated }];
  const tiny = Object.values(tinyOf(name === 'f16' ? f16 : f32));
  const flushing = tiny.flatMap((below) => [false, true].map((operands) => ({ operands, below })));
  return (['twice', 'once'] as const).flatMap((fma) =>
    (['kept', ...flushing] as const).map((subnormals) => ({
      precision,
      arithmetic: { ...emulated, fma, subnormals },
    })),
  );
}

/** Draws cases of a precision, with up to three levels where binary16 can hold the integers of these levels. */
function smallCases(precision: string): fc.Arbitrary<Case> {
  const most = precision === 'f16' ? 2 : 3;
  const held = toFormat(precision, finiteInputs, most);
  return cases({ kernels: NAMES, inputs: held, levels: fc.nat(most), largest: 17, precision });
}

/** Draws half of all values for binary32, in which most devices compute; the others share the rest. */
function inEach<T>(names: readonly string[], of: (name: string) => fc.Arbitrary<T>) {
  return fc.oneof(
    ...names.map((name) => ({ weight: name === 'f32' ? names.length - 1 : 1, arbitrary: of(name) })),
  );
}

/** Precisions whose roundings doubles can represent. */
const NARROW = kindNames.filter((name) => precisions.find(name).accumulated.precision <= 24);

const used = new Map<string, number>();
function note(what: string, use: number): void {
  used.set(what, Math.max(use, used.get(what) ?? 0));
}

describe('no error exceeds the running bound', () => {
  law(
    'of mirrored arithmetics',
    150,
    inEach(kindNames, (name) => fc.tuple(smallCases(name), fc.constantFrom(...computationsIn(name)))),
    ([value, computation]) => {
      const { a, b } = expand(value);
      const { model, bound } = analyze(planOf(value), a, b, computation);
      const use = largestUse(model, exactProduct(a, b), bound, computation.precision.d.maxFinite);
      note(`the model in ${computation.precision.name}`, use);
      expect(use).toBeLessThanOrEqual(1);
    },
  );

  const mannersIn = (name: string): fc.Arbitrary<Manners> =>
    fc.record({
      precision: fc.constant(name),
      rounding: fc.constantFrom(...roundings),
      order: fc.constantFrom(...orders),
      fused: fc.boolean(),
      flushes: fc.boolean(),
      seed: seeds,
    });
  lawOfLongRuns(
    'of simulated devices',
    180,
    inEach(NARROW, (name) => fc.tuple(smallCases(name), mannersIn(name))),
    ([value, manners]) => {
      const { a, b } = expand(value);
      const plan = planOf(value);
      const computation = computationOf(manners);
      const { bound } = analyze(plan, a, b, computation);
      const found = simulate(plan, a, b, manners);
      const use = largestUse(found, exactProduct(a, b), bound, computation.precision.d.maxFinite);
      note(`${manners.rounding} in ${manners.precision}`, use);
      expect(use).toBeLessThanOrEqual(1);
    },
  );

  afterAll(() => {
    const shares = [...used].sort().map(([what, use]) => `${what} ${(100 * use).toFixed(0)} %`);
    console.log(`The largest share of its bound that an error used: ${shares.join(', ')}.`);
  });

  const kernels = ['classical:register', 'strassen:naive', 'winograd:register-8x16'];
  law(
    'of the device',
    60,
    cases({ kernels, inputs: finiteInputs, levels: someLevels, largest: 40 }),
    async (value) => {
      const { a, b } = expand(value);
      const { bound } = gpu.analyze(value, a, b);
      const product = await gpu.multiply(value, a, b);
      expect(largestUse(product, exactProduct(a, b), bound)).toBeLessThanOrEqual(1);
    },
  );
});
