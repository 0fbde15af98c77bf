import { describe, expect, test } from 'vitest';
import { largestUse } from '../../properties/compare.ts';
import { findAlgorithm } from '../../src/algorithms/algorithms.ts';
import { isWhole } from '../../src/base/in-short.testing.ts';
import { createRandom } from '../../src/base/random.ts';
import { exactProduct } from '../../src/exact/exact.ts';
import { matrix } from '../../src/matrix/dense.ts';
import { compile } from '../../src/plan/compile.ts';
import { f32 } from '../../src/precision/format.ts';
import { applyClaims } from '../../src/precision/precision.ts';
import { precisions } from '../../src/precision/precisions.ts';
import { analyze } from '../../src/readers/analysis.ts';
import { matrixUnits } from './model/units.ts';

/**
 * The law: results of a matrix unit meet the bound of a kernel that claims nothing of its sums. They also meet that of a kernel
 * that claims this unit. A claim of more bits than the unit has is disproved.
 *
 * Why: bounds of block adders are derived from the papers, and units from MMA-Sim. The two might disagree on subnormal factors,
 * which are aligned as normal ones, and on sums that carry beyond the window.
 */
const inSingle = matrixUnits.items.filter(({ result }) => result === f32);
describe.each(inSingle.map((unit) => [unit.name, unit] as const))('%s', (_, unit) => {
  const [, terms, fraction, left] =
    /(\d+) products .*cut off (\d+) bits behind .* at (\d+) bits/.exec(unit.what) ?? [];
  const bits = Math.min(Number(left), Number(fraction) + 1);
  const precision = precisions.find(`${unit.a.name}-f32`);
  const usage = (claimed?: number) => {
    const random = createRandom(9);
    let most = 0;
    for (let round = 0; round < (isWhole ? 60 : 12); round++) {
      const shape = { m: 2, k: random.int(1, 100), n: 3 };
      const spread = [0, 4, 14][round % 3];
      const least = round % 4 === 3 ? unit.a.minSubnormal : 0;
      const entry = (format: typeof unit.a) => () => {
        const x = format.round(
          random.uniform(-1, 1) *
            2 ** -random.int(0, spread) *
            (least > 0 && random.int(0, 1) === 0 ? 8 * least : 4),
        );
        return x;
      };
      const a = matrix(shape.m, shape.k, Float32Array.from({ length: shape.m * shape.k }, entry(unit.a)));
      const b = matrix(shape.k, shape.n, Float32Array.from({ length: shape.k * shape.n }, entry(unit.b)));
      const accumulator = { terms: Number(terms), bits: claimed };
      const claims =
        claimed === undefined ? {} : { arithmetic: { rounding: 'toward-zero', accumulator } as const };
      const plan = compile({ algorithm: findAlgorithm('classical'), shape });
      const { bound } = analyze(plan, a, b, applyClaims(precision, claims));
      const c = matrix(shape.m, shape.n, Float32Array.from(unit.multiply(a.data, b.data, undefined, shape)));
      most = Math.max(most, largestUse(c, exactProduct(a, b), bound));
    }
    return most;
  };

  test('is within its bounds', () => {
    expect(usage()).toBeLessThanOrEqual(1);
    expect(usage(bits)).toBeLessThanOrEqual(1);
  });
});

test('a window of 14 bits is no window of 25', () => {
  const unit = matrixUnits.find('hopper-e4m3');
  const shape = { m: 1, k: 32, n: 1 };
  const a = matrix(
    1,
    32,
    Float32Array.from({ length: 32 }, (_, p) => (p === 0 ? 256 : 1 / 64)),
  );
  const b = matrix(32, 1, new Float32Array(32).fill(1));
  const c = matrix(1, 1, Float32Array.from(unit.multiply(a.data, b.data, undefined, shape)));
  const plan = compile({ algorithm: findAlgorithm('classical'), shape });
  const boundIn = (bits: number) =>
    analyze(
      plan,
      a,
      b,
      applyClaims(precisions.find('e4m3-f32'), {
        arithmetic: { rounding: 'toward-zero', accumulator: { terms: 32, bits } },
      }),
    ).bound;
  expect(c.data[0]).toBe(256);
  expect(largestUse(c, exactProduct(a, b), boundIn(25))).toBeGreaterThan(100);
  expect(largestUse(c, exactProduct(a, b), boundIn(14))).toBeLessThanOrEqual(1);
});
