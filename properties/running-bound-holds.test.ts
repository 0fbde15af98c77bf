import fc from 'fast-check';
import { afterAll, describe, expect } from 'vitest';
import { algorithms, findAlgorithm } from '../src/algorithms/algorithms.ts';
import { type Arithmetic, emulated } from '../src/formats/arithmetic.ts';
import { TINY16 } from '../src/formats/arithmetic16.ts';
import { TINY } from '../src/formats/arithmetic32.ts';
import { type PrecisionName, precisionNames, precisions } from '../src/formats/precision.ts';
import type { Case } from '../src/gate/case.ts';
import { compile } from '../src/plan/compile.ts';
import type { Plan } from '../src/plan/plan.ts';
import { analyse } from '../src/readers/analysis.ts';
import { exactProduct } from '../src/reference/exact.ts';
import { cases, expand, finiteInputs, heldIn, seeds, someLevels } from './arbitraries.ts';
import { largestUse } from './compare.ts';
import { openGpu } from './device.ts';
import { law } from './law.ts';
import {
  arithmeticOf,
  type Manners,
  orders,
  ROUND_TO_NEAREST,
  roundings,
  simulate,
} from './simulated-device.ts';

/**
 * The law: |Ĉ − C| never exceeds the running bound, in any precision, on any device with the unit roundoff the bound
 * was made for: fused or not, summing in any order, flushing subnormals or keeping them, and with 2u choosing either
 * neighbour as it likes. Devices that compute in binary64 or in pairs are the mirror's alone.
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

/** The arithmetics a device may have in a precision, as far as the mirror knows them. */
function arithmeticsIn(precision: PrecisionName): Arithmetic[] {
  if (precision === 'f64') return [emulated(precision)];
  const tiny = Object.values(precision === 'f16' ? TINY16 : TINY);
  return [false, true].flatMap((fused) => [
    { ...ROUND_TO_NEAREST, precision, fused },
    ...tiny.flatMap((flushesBelow) =>
      [false, true].map((flushesOperands) => ({
        ...ROUND_TO_NEAREST,
        precision,
        fused,
        flushesOperands,
        flushesBelow,
        flushesSubnormals: true,
      })),
    ),
  ]);
}

/** Cases of a precision: up to three levels where binary16 can hold the integers of so many. */
function smallCases(precision: PrecisionName): fc.Arbitrary<Case> {
  const most = precision === 'f16' ? 2 : 3;
  const held = heldIn(precision, finiteInputs, most);
  return cases({ kernels: NAMES, inputs: held, levels: fc.nat(most), largest: 17, precision });
}

/** Half of all values for binary32, which most devices compute in; the others share the rest. */
function inEach<T>(names: readonly PrecisionName[], of: (name: PrecisionName) => fc.Arbitrary<T>) {
  return fc.oneof(
    ...names.map((name) => ({ weight: name === 'f32' ? names.length - 1 : 1, arbitrary: of(name) })),
  );
}

/** Formats whose roundings a double can tell. */
const NARROW = precisionNames.filter((name) => precisions[name].working.precision <= 24);

const used = new Map<string, number>();
function note(what: string, use: number): void {
  used.set(what, Math.max(use, used.get(what) ?? 0));
}

describe('no error exceeds the running bound', () => {
  law(
    'of mirrored arithmetics',
    450,
    inEach(precisionNames, (name) => fc.tuple(smallCases(name), fc.constantFrom(...arithmeticsIn(name)))),
    ([value, arithmetic]) => {
      const { a, b } = expand(value);
      const { mirror, bound } = analyse(planOf(value), a, b, arithmetic);
      const use = largestUse(mirror, exactProduct(a, b), bound);
      note(`the mirror in ${arithmetic.precision}`, use);
      expect(use).toBeLessThanOrEqual(1);
    },
  );

  const mannersIn = (name: PrecisionName): fc.Arbitrary<Manners> =>
    fc.record({
      precision: fc.constant(name),
      rounding: fc.constantFrom(...roundings),
      order: fc.constantFrom(...orders),
      fused: fc.boolean(),
      flushes: fc.boolean(),
      seed: seeds,
    });
  law(
    'of simulated devices',
    550,
    inEach(NARROW, (name) => fc.tuple(smallCases(name), mannersIn(name))),
    ([value, manners]) => {
      const { a, b } = expand(value);
      const plan = planOf(value);
      const { bound } = analyse(plan, a, b, arithmeticOf(manners));
      const use = largestUse(simulate(plan, a, b, manners), exactProduct(a, b), bound);
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
    100,
    cases({ kernels, inputs: finiteInputs, levels: someLevels, largest: 40 }),
    async (value) => {
      const { a, b } = expand(value);
      const { bound } = gpu.analyse(value, a, b);
      const product = await gpu.multiply(value, a, b);
      expect(largestUse(product, exactProduct(a, b), bound)).toBeLessThanOrEqual(1);
    },
  );
});
