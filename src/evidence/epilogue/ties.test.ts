import { describe, expect, it } from 'vitest';
import { isWhole } from '../../base/in-short.testing.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { GivenStep } from '../../epilogue/chain.ts';
import { exactProduct } from '../../exact/exact.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { honestResult } from './honest.testing.ts';
import { judgeEpilogue } from './judge-epilogue.ts';
import { weighEpilogue } from './weigh-epilogue.ts';

const [m, k, n] = [7, 12, 10];
const roundings = ['nearest', 'nearest-away', 'toward-zero'];

/** Draws a matrix of small whole numbers. */
const drawWhole = (random: Random, rows: number, cols: number): Matrix =>
  matrix(
    rows,
    cols,
    Float32Array.from({ length: rows * cols }, () => Math.floor(random.uniform01() * 9) - 4),
  );

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random.uniform01() * all.length)];

/** Draws steps whose results are exact. */
function drawExactSteps(random: Random): GivenStep[] {
  const powers = [0.25, 0.5, -0.5, 2];
  const row = Float32Array.from({ length: n }, () => pick(random, powers));
  const scale = () => ({ step: 'scale', values: pick(random, [...powers, row]) });
  const add = { step: 'bias', values: drawWhole(random, 1, n) };
  const factors = [scale(), scale()];
  return pick(random, [[], [add], factors, [...factors, 'relu'], [add, scale()], [scale(), add]]);
}

const codes = (scale: number, rounding: string, more: object = {}) => ({
  ...{ step: 'requantize', to: 'int8', scale, zeroPoint: 3, rounding },
  ...more,
});

/** Counts the wrong codes, and the codes that differ from honest ones, where a kernel rounds in another way than claimed. */
async function countWrong(
  precision: string,
  seed: number,
  scales: readonly number[],
  more: object = {},
): Promise<[found: number, wrong: number]> {
  const random = createRandom(seed, 4401);
  const given = { a: drawWhole(random, m, k), b: drawWhole(random, k, n), precision };
  const steps = drawExactSteps(random);
  const scale = pick(random, scales);
  const claimed = pick(random, roundings);
  const other = pick(
    random,
    roundings.filter((one) => one !== claimed),
  );
  const compute = (rounding: string) =>
    honestResult({ ...given, epilogue: [...steps, codes(scale, rounding)] }, false);
  const [d, right] = [compute(other), compute(claimed)];
  const epilogue = [...steps, codes(scale, claimed, more)];
  const { count } = judgeEpilogue(await weighEpilogue({ ...given, d, epilogue }, exactProduct));
  const honest = judgeEpilogue(await weighEpilogue({ ...given, d: right, epilogue }, exactProduct));
  expect(honest.count, `${seed}`).toBe(0);
  return [count, d.data.filter((code, e) => code !== right.data[e]).length];
}

describe.each(['f32', 'int8-i32', 'f16-f32-f16', 'bf16-f32'])(
  'exact steps in %s: every code of',
  (precision) => {
    it('another rounding fails', async () => {
      for (let seed = 1; seed <= (isWhole ? 500 : 25); seed++) {
        const [found, wrong] = await countWrong(precision, seed, [0.5, 1, 2, 4]);
        expect(found, `${seed}`).toBe(wrong);
      }
    });

    it('another rounding fails where the quotient is claimed', async () => {
      for (let seed = 1; seed <= (isWhole ? 500 : 25); seed++) {
        const [found, wrong] = await countWrong(precision, seed, [3, 5, 7], { formula: 'quotient' });
        expect(found, `${seed}`).toBe(wrong);
      }
    });
  },
);

it.each([
  // fl(1/50) is less than 1/50 in binary32, fl(1/6) greater than 1/6.
  [25, 50, {}, [0]],
  [-125, 50, {}, [-2]],
  [125, 50, { rounding: 'nearest-away' }, [2, 3]],
  [3, 6, {}, [0, 1]],
  [3, 6, { formula: 'quotient' }, [0]],
  [3, 6, { formula: 'quotient', rounding: 'nearest-away' }, [1]],
  [2, 4, {}, [0]],
])('%d/%d with %j may become %j', async (x, scale, more, right) => {
  const given = { a: matrix(1, 1, Float32Array.of(1)), b: matrix(1, 1, Float32Array.of(x)) };
  const epilogue = [{ ...codes(scale, 'nearest', more), zeroPoint: 0 }];
  const of = async (code: number) => {
    const d = matrix(1, 1, Float32Array.of(code));
    return judgeEpilogue(await weighEpilogue({ ...given, d, epilogue }, exactProduct)).count === 0;
  };
  const found: number[] = [];
  for (let code = -4; code <= 4; code++) if (await of(code)) found.push(code);
  expect(found).toEqual(right);
});
