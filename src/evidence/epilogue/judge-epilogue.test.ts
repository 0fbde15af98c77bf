import { describe, expect, it } from 'vitest';
import { isWhole } from '../../base/in-short.testing.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { GivenStep } from '../../epilogue/chain.ts';
import { exactProduct } from '../../exact/exact.ts';
import { findInput } from '../../inputs/inputs.ts';
import { type Matrix, matrix } from '../../matrix/dense.ts';
import { precisions } from '../../precision/precisions.ts';
import { drawRow, honestResult } from './honest.testing.ts';
import { judgeEpilogue } from './judge-epilogue.ts';
import type { GivenWithEpilogue } from './product-with-epilogue.ts';
import { weighEpilogue } from './weigh-epilogue.ts';

const judge = async (given: GivenWithEpilogue) => judgeEpilogue(await weighEpilogue(given, exactProduct));
const mapped = (x: Matrix, of: (value: number, e: number) => number) =>
  matrix(x.rows, x.cols, Float32Array.from(x.data, of));

const [m, k, n] = [6, 21, 8];

/** Draws operands that the precision holds. */
function drawOperands(precision: string, seed: number): { a: Matrix; b: Matrix } {
  const { a: left, b: right } = precisions.find(precision);
  const input = precision.startsWith('int8') ? 'integers' : seed % 2 === 0 ? 'uniform' : 'integers';
  const { a, b } = findInput(input).generate({ m, k, n, seed });
  const limited = (x: number) => (precision.startsWith('int8') ? Math.max(-9, Math.min(9, x)) : x);
  return { a: mapped(a, (x) => left.round(limited(x))), b: mapped(b, (x) => right.round(limited(x))) };
}

const activations = ['relu', 'leaky-relu', 'squared-relu', 'gelu', 'gelu-tanh', 'silu', 'sigmoid', 'tanh'];

/** Draws a chain of up to four steps. */
function drawSteps(random: Random): GivenStep[] {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random.uniform01() * all.length)];
  const tensor = (cols: number) =>
    pick([() => 0.3, () => drawRow(random, cols), () => matrix(m, 1, drawRow(random, m))])();
  const steps: GivenStep[] = [];
  let cols = n;
  const first = random.uniform01();
  if (first < 0.5) steps.push({ step: 'bias', values: tensor(n) });
  else if (first < 0.7) steps.push({ step: 'scale', values: pick([0.37, -2, 0.001]) });
  const middle = random.uniform01();
  if (middle < 0.6) steps.push(pick(activations));
  else if (middle < 0.8) {
    const gate = { step: pick(['swiglu', 'geglu', 'geglu-tanh']), order: pick(['gate-first', 'gate-last']) };
    steps.push({ ...gate, stored: pick(['unrounded', 'f16', 'bf16']) });
    cols /= 2;
  } else steps.push({ step: 'clamp', low: -0.7, high: 1.3 });
  const third = random.uniform01();
  if (third < 0.3) steps.push({ step: 'residual', values: matrix(m, cols, drawRow(random, m * cols)) });
  else if (third < 0.4) steps.push({ step: 'round', to: pick(['f16', 'bf16']) });
  if (random.uniform01() < 0.5) {
    const to = pick(['int8', 'uint8', 'e4m3', 'e5m2']);
    const isWholeCode = to.endsWith('int8');
    steps.push({
      ...{ step: 'requantize', to, scale: pick([0.05, 0.25, 0.013]) },
      zeroPoint: isWholeCode ? pick([0, 7, 100]) : 0,
      rounding: pick(['nearest', 'nearest-away', 'toward-zero']),
      overflow: pick(['saturate', isWholeCode ? 'wraps' : 'special']),
    });
  }
  return steps;
}

describe.each(['f32', 'f16', 'bf16-f32-bf16', 'f16-f32-f16', 'int8-i32'])('in %s', (precision) => {
  it('a correct kernel passes, whatever its epilogue', async () => {
    for (let seed = 1; seed <= (isWhole ? 1000 : 12); seed++) {
      const random = createRandom(seed, 4400);
      const epilogue = drawSteps(random);
      const given = { ...drawOperands(precision, seed), precision, epilogue };
      const d = honestResult(given, random.uniform01() < 0.5);
      const { count, reason } = await judge({ ...given, d });
      expect(count, `${seed}: ${JSON.stringify(epilogue)}: ${reason}`).toBe(0);
    }
  });
});

it('a gate whose activated half was stored in bf16 passes as that alone', async () => {
  const given = { ...drawOperands('bf16-f32-bf16', 2), precision: 'bf16-f32-bf16' };
  const of = (stored: string): GivenStep[] => [
    { step: 'round', to: 'bf16' },
    { step: 'swiglu', stored },
  ];
  const d = honestResult({ ...given, epilogue: of('bf16') }, false);
  const counts = [];
  for (const stored of ['bf16', 'unrounded', 'f16'])
    counts.push((await judge({ ...given, d, epilogue: of(stored) })).count);
  expect(counts[0]).toBe(0);
  expect(Math.min(counts[1], counts[2])).toBeGreaterThan(0);
});

it('a gate of 0 times NaN is NaN, and passes as that', async () => {
  const given = {
    ...{ a: matrix(2, 1, Float32Array.of(-4000, -9000)), b: matrix(1, 2, Float32Array.of(1, Number.NaN)) },
    epilogue: [{ step: 'swiglu', stored: 'bf16' }],
  };
  const judged = await judge({ ...given, d: matrix(2, 1, Float32Array.of(Number.NaN, Number.NaN)) });
  expect(judged).toMatchObject({ verdict: 'pass', special: 2 });
  const d = matrix(2, 1, Float32Array.of(Number.NaN, 0));
  expect(await judge({ ...given, d })).toMatchObject({ verdict: 'fail', count: 1 });
});

it.each([Number.NaN, -1, 2])('a clamp of NaN alone is judged: %d passes, and 3 fails', async (result) => {
  const given = {
    ...{ a: matrix(1, 1, Float32Array.of(0)), b: matrix(1, 2, Float32Array.of(Infinity, Number.NaN)) },
    epilogue: [{ step: 'clamp', low: -1, high: 2 }],
  };
  const judgedAs = (...d: [number, number]) => judge({ ...given, d: matrix(1, 2, Float32Array.of(...d)) });
  expect(await judgedAs(result, Number.NaN)).toMatchObject({ verdict: 'pass', special: 2 });
  expect(await judgedAs(result, 3)).toMatchObject({ verdict: 'fail', count: 1 });
});

describe('codes', () => {
  const codes = (more: object = {}) => ({
    step: 'requantize',
    to: 'int8',
    scale: 0.02,
    zeroPoint: 9,
    ...more,
  });

  it('tells codes that are wrong by one step from others', async () => {
    const given = { ...drawOperands('f32', 4), epilogue: [codes({ scale: 0.5 })] };
    const d = honestResult(given, false);
    const off = mapped(d, (q, e) => (e === 3 ? q + 1 : e === 5 ? q - 60 : q));
    const { count, reason, worst } = await judge({ ...given, d: off });
    expect(count).toBe(2);
    expect(reason).toContain('1 by one step and 1 by more');
    expect(
      worst(8)
        .slice(0, 2)
        .map(({ j, found, expected }) => [j, Number(found) - Number(expected)]),
    ).toEqual([
      [5, -60],
      [3, 1],
    ]);
  });
});

it.each<[epilogue: GivenStep[], expected: number]>([
  [['gelu'], 0],
  [['tanh'], -1],
  [[{ step: 'clamp', low: -6, high: 6 }], -6],
  [['relu', { step: 'bias', values: [Infinity] }, { step: 'clamp', low: -6, high: 6 }], 6],
])('the expected result of -Infinity after %j is its limit', async (epilogue, expected) => {
  const [a, b] = [matrix(2, 1, Float32Array.of(-Infinity, 1)), matrix(1, 1, Float32Array.of(1))];
  const d = matrix(2, 1, Float32Array.of(0.5, 0.5));
  const { worst } = await judge({ a, b, d, epilogue });
  expect(worst(8).find(({ i }) => i === 0)).toMatchObject({ found: 0.5, expected });
});

describe('special values', () => {
  const a = matrix(1, 1, Float32Array.of(1));
  const of = async (x: number, d: number, ...epilogue: GivenStep[]) =>
    (await judge({ a, b: matrix(1, 1, Float32Array.of(x)), d: matrix(1, 1, Float32Array.of(d)), epilogue }))
      .count === 0;

  it('follow the limits', async () => {
    const found = [
      await of(Infinity, Infinity, 'gelu'),
      await of(-Infinity, 0, 'gelu'),
      await of(-Infinity, Number.NaN, 'gelu'),
      await of(Number.NaN, Number.NaN, 'silu'),
      await of(-Infinity, -1, 'tanh'),
      await of(-Infinity, 0, 'sigmoid'),
      await of(Infinity, 127, { step: 'requantize', to: 'int8', scale: 0.5 }),
      await of(Number.NaN, 0, 'relu'),
      await of(-0, 0, 'gelu'),
    ];
    expect(found).not.toContain(false);
  });

  it('that are none of the limits are wrong', async () => {
    const found = [
      await of(Infinity, Number.NaN, 'gelu'),
      await of(-Infinity, -Infinity, 'gelu'),
      await of(Number.NaN, 0, 'silu'),
      await of(1, Number.NaN, 'relu'),
      await of(Infinity, -128, { step: 'requantize', to: 'int8', scale: 0.5 }),
    ];
    expect(found).not.toContain(true);
  });
});

it('compares a sample of large products, with both halves of gates', async () => {
  const [rows, cols] = [2 ** 11, 2 ** 11 + 2];
  const a = matrix(rows, 512, new Float32Array(rows * 512).fill(2 ** -9));
  const b = matrix(
    512,
    cols,
    Float32Array.from({ length: 512 * cols }, (_, e) => ((e % cols) % 7) - 3),
  );
  const silu = (x: number) => x / (1 + Math.exp(-x));
  const entry = (j: number) => silu((j % 7) - 3) * (((j + cols / 2) % 7) - 3);
  const d = matrix(
    rows,
    cols / 2,
    Float32Array.from({ length: (rows * cols) / 2 }, (_, e) => entry(e % (cols / 2))),
  );
  const given = { a, b, d, epilogue: ['swiglu'] };
  const { verdict, reason } = await judge(given);
  expect(verdict).toBe('pass');
  expect(reason).toMatch(
    /^All \d+ compared entries are what A·B may become after swiglu\. The other 9\d\.\d % of D were not compared/,
  );
  // Whole columns of D are among them.
  expect(Number(/^All (\d+)/.exec(reason)?.[1])).toBeGreaterThan(4 * 2 ** 11 + 4 * (cols / 2));
  expect((await judge({ ...given, epilogue: ['geglu'] })).verdict).toBe('fail');
});

describe('an activation that makes D vanish', () => {
  const a = matrix(2, 4, new Float32Array(8).fill(3.3));
  const columns = (left: number, right: number) =>
    matrix(
      4,
      2,
      Float32Array.from({ length: 8 }, (_, e) => (e % 2 === 0 ? left : right)),
    );
  const judged = (b: Matrix, d: Float32Array, ...epilogue: GivenStep[]) =>
    judge({ a, b, d: matrix(2, d.length / 2, d), epilogue });

  it.each([['gelu'], ['gelu-tanh']])('%s leaves errors of its argument, which decide', async (step) => {
    const b = columns(-7, -8);
    expect((await judged(b, new Float32Array(4).fill(-1e-9), step)).verdict).toBe('pass');
    expect((await judged(b, Float32Array.of(0, 0, 0, -0.01), step)).verdict).toBe('fail');
  });

  it('does so in the half that gates', async () => {
    const b = columns(-8, 5);
    expect((await judged(b, new Float32Array(2).fill(-1e-9), 'geglu')).verdict).toBe('pass');
    expect((await judged(b, Float32Array.of(0, -0.01), 'geglu')).verdict).toBe('fail');
  });

  it.each([
    ['gelu', 1e-3],
    ['squared-relu', 3e-4],
    ['leaky-relu', 0.02],
  ])('%s does not make a product decisive that cancels', async (step, found) => {
    const b = matrix(4, 2, Float32Array.of(1e4, 1e4, -1e4, -1e4, 0.003, 0.003, 0, 0));
    expect((await judged(b, new Float32Array(4).fill(found), step)).verdict).toBe('inconclusive');
  });

  it.each([1e7, 1e8])('does not excuse errors that are claimed to be %d ulps', async (ulps) => {
    const d = new Float32Array(4).fill(1.5);
    expect((await judged(columns(0.1, 0.1), d, { step: 'gelu', ulps })).verdict).toBe('inconclusive');
  });
});
