import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.ts';
import { findInput } from '../../inputs/inputs.ts';
import { matrix } from '../../matrix/dense.ts';
import { type Gemm, plainGemm } from '../../matrix/gemm.ts';
import type { RunningSum } from '../../precision/arithmetic.ts';
import { bf16 } from '../../precision/format.ts';
import type { Precision } from '../../precision/precision.ts';
import { precisions } from '../../precision/precisions.ts';
import type { Evidence } from '../evidence.ts';
import { judgeProduct } from '../judge-product.ts';
import { type Check, defaultThresholds as limits } from './check.ts';
import { drift } from './drift.ts';
import { whyMayRound } from './exactness.ts';
import { unbiased } from './repeated.ts';
import { boundUse, runningBound } from './running-bound.ts';
import { errorsInSigmas, sigma } from './sigma.ts';

// Answers of checks to made-up values, errors and limits, beside the definitions worked out entry by entry. All numbers are dyadic, so
// that an error can equal its limit.

const { NaN: nan, POSITIVE_INFINITY: infinite } = Number;
const random = createRandom(17, 1);
const grid = (most: number) => random.int(-most, most) / 2 ** 10;
const answer = (check: Check, evidence: object, more: object = {}) =>
  check.judge(evidence as Evidence, { ...limits, ...more });

/** The exact and the computed value of an entry, and the limits of its error. */
interface Entry {
  readonly value: number;
  readonly low: number;
  readonly found: number;
  readonly bound: number;
  readonly sigma: number;
}

/** Makes evidence of these entries; with `isSampled` they are compared from last to first. */
function evidenceOf(entries: readonly Entry[], isSampled = false, again?: readonly number[]) {
  const shape = { m: 1, k: 1, n: entries.length };
  const all = (of: (entry: Entry) => number) => Float64Array.from(entries, of);
  const placed = (found: Float64Array) => (isSampled ? found.reverse() : found);
  const product = (found: Float64Array) => ({ c: matrix(1, shape.n, placed(found)) });
  const zeros = (rows: number, cols: number) => matrix(rows, cols, new Float32Array(rows * cols));
  const { evidence } = judgeProduct(zeros(1, shape.n), zeros(1, 1), zeros(1, shape.n));
  const line = (of: (entry: Entry) => number) => matrix(1, shape.n, all(of));
  const at = isSampled ? Float64Array.from(entries, (_, e) => shape.n - 1 - e) : undefined;
  return {
    ...evidence,
    outcomes: [product(all(({ found }) => found)), again && product(Float64Array.from(again))] as const,
    reference: {
      ...evidence.reference,
      value: all(({ value }) => value),
      low: all(({ low }) => low),
      ...(at && { at }),
    },
    analysis: {
      model: line(({ value }) => value),
      bound: line(({ bound }) => bound),
      sigma: line((entry) => entry.sigma),
    },
  };
}

/** Draws entries: some exact, some at their bound, and some beyond it or not finite. */
const drawn = (scale: number, isHonest: boolean): Entry[] =>
  Array.from({ length: 60 }, () => {
    const bound = (scale * random.int(0, 8)) / 2 ** 10;
    const [value, low] = [8 + grid(1000), grid(20)];
    const error = [0, bound, -bound, bound / 2, ...(isHonest ? [] : [bound + 2 ** -10, -2 * bound])];
    const entry = { value, low, bound, sigma: random.int(0, 4) / 2 ** 10 };
    const found = value + low + error[random.int(0, error.length - 1)];
    const odd = [{}, {}, {}, { bound: infinite }, { bound: nan }, isHonest ? {} : { found: nan, bound: 0 }];
    return { ...entry, found, ...odd[random.int(0, odd.length - 1)] };
  });

const errorOf = ({ value, low, found }: Entry) => Math.abs(found - value - low);

describe.each([
  [1, true, false],
  [1, false, false],
  [1, false, true],
  [2 ** 12, true, true],
])('errors of bounds of %d/1024 steps, honest: %s, sampled: %s', (scale, isHonest, isSampled) => {
  const entries = drawn(scale, isHonest);
  const evidence = evidenceOf(entries, isSampled);

  it('are judged where the bound is finite, and wrong beyond it', () => {
    const judged = entries.filter(({ bound }) => Number.isFinite(bound));
    const isWrong = (entry: Entry) => Number.isFinite(entry.bound) && !(errorOf(entry) <= entry.bound);
    const marks = entries.map((entry) => Number(isWrong(entry)));
    const shares = judged.map((entry) => (errorOf(entry) === 0 ? 0 : errorOf(entry) / entry.bound));
    const rms = (of: (entry: Entry) => number) => Math.sqrt(judged.reduce((sum, x) => sum + of(x) ** 2, 0));
    const use = boundUse(evidence);
    expect([...use.wrong]).toEqual(isSampled ? marks.reverse() : marks);
    expect(use).toMatchObject({
      judged: judged.length,
      skipped: entries.length - judged.length,
      beyond: judged.filter(isWrong).length,
      largest: Math.max(...judged.map(({ bound }) => bound)),
      vacuous: rms(({ bound }) => bound) > rms(({ value }) => value),
    });
    const most = shares.some(Number.isNaN) ? infinite : Math.max(...shares);
    if (most === infinite) expect(use.used).toBe(infinite);
    else expect(use.used / most).toBeCloseTo(1, 12);
    const passes = use.vacuous ? 'vacuous' : 'pass';
    expect(answer(runningBound, evidence).status).toBe(use.beyond > 0 ? 'fail' : passes);
  });

  it('are so many sigmas: none where there is no error, infinitely many where none is expected', () => {
    const expected = entries.map((entry) => {
      const error = errorOf(entry);
      if (error === 0) return 0;
      return Number.isNaN(error) ? infinite : error / entry.sigma;
    });
    expect([...errorsInSigmas(evidence)]).toEqual(expected);
  });
});

it('a value that is not finite has no sigmas, nor has an error that squares of doubles do not hold', () => {
  const one = { value: 0, low: 0, found: 0, bound: 1, sigma: 1 };
  const tiny = 2 ** -501;
  const all = [
    { ...one, value: nan },
    { ...one, found: tiny, sigma: tiny / 8 },
    { ...one, found: tiny, sigma: 2 ** -500 },
    { ...one, found: 2 ** -500, sigma: tiny },
  ];
  expect([...errorsInSigmas(evidenceOf(all))]).toEqual([0, 0, 0.5, 2]);
});

describe('sigma holds sums to be random up to a length', () => {
  const of = (k: number, running?: readonly RunningSum[]) => {
    const evidence = evidenceOf([{ value: 1, low: 0, found: 1, bound: 1, sigma: 1 }]);
    const randomUpTo = ({ accumulated }: Precision) => accumulated.precision ** 2;
    return answer(sigma, {
      ...evidence,
      operands: { ...evidence.operands, family: { ...findInput('uniform'), randomUpTo } },
      plan: { ...evidence.plan, shape: { m: 1, k, n: 1 } },
      machine: { ...evidence.machine, ...(running && { sums: { running } }) },
    }).status;
  };
  const rounding = 'nearest' as const;

  it.each<[number, readonly RunningSum[] | undefined, 'pass' | 'not-applicable']>([
    [24 ** 2, undefined, 'pass'],
    [24 ** 2 + 1, undefined, 'not-applicable'],
    [24 ** 2, [{ rounding }], 'pass'],
    [100, [{ rounding, bits: 10 }], 'pass'],
    [101, [{ rounding, bits: 10 }], 'not-applicable'],
    [101, [{ rounding, bits: 10, promoted: 100 }], 'pass'],
    [200, [{ rounding, bits: 10, promoted: 101 }], 'not-applicable'],
    [100, [{ rounding, bits: 10, promoted: 200 }], 'pass'],
    [24 ** 2, [{ rounding, bits: 30 }], 'pass'],
    [24 ** 2 + 1, [{ rounding, bits: 30, promoted: 8 }], 'not-applicable'],
    [101, [{ rounding }, { rounding, bits: 10 }], 'not-applicable'],
  ])('of %d terms with running sums %o: %s', (k, running, status) => expect(of(k, running)).toBe(status));
});

describe('unbiased', () => {
  const claims = { algorithm: 'classical', arithmetic: { rounding: 'stochastic' } };
  /** Makes two runs of `count` entries with given errors, in sigmas. */
  const runs = (
    count: number,
    mine: (e: number) => number,
    other: (e: number) => number,
    isSampled = false,
  ) => {
    const entries = Array.from({ length: count }, (_, e): Entry => {
      const [value, low, expected] = [grid(1000), grid(20), 2 ** random.int(-12, -8)];
      return { value, low, sigma: expected, bound: 1, found: value + low + mine(e) * expected };
    });
    const again = entries.map((entry, e) => entry.value + entry.low + other(e) * entry.sigma);
    const evidence = evidenceOf(entries, isSampled, again);
    return { ...evidence, claims, operands: { ...evidence.operands, family: findInput('uniform') } };
  };

  it.each([
    [256, false],
    [400, true],
  ])('finds what the errors of %d entries have in common, sampled: %s', (count, isSampled) => {
    const errors = () => Float64Array.from({ length: count }, () => random.int(-8, 8) / 4);
    for (let draw = 0; draw < 3; draw++) {
      const [mine, other] = [errors(), errors()];
      const common = mine.reduce((sum, x, e) => sum + x * other[e], 0) / Math.sqrt(count);
      const found = answer(
        unbiased,
        runs(
          count,
          (e) => mine[e],
          (e) => other[e],
          isSampled,
        ),
      );
      expect(found).toMatchObject({ status: common <= 6 ? 'pass' : 'fail', allowed: 6 });
      expect(found.found).toBeCloseTo(common, 12);
    }
  });

  it('allows as many sigmas as are given, and any below zero', () => {
    const common = (of: number, sigmas = 6) =>
      answer(
        unbiased,
        runs(
          256,
          () => 1,
          () => of / 16,
        ),
        { sigmas },
      );
    expect(common(6)).toEqual({
      ...{ status: 'pass', found: 6, allowed: 6 },
      message: 'The correlation of the errors of two runs is 6.00 sigmas.',
    });
    expect(common(6.25)).toEqual({
      ...{ status: 'fail', found: 6.25, allowed: 6 },
      message:
        'The rounding is not random, or is biased: the correlation of the errors of two runs is 6.25 sigmas, allowed 6.',
    });
    expect(common(6.25, 7).status).toBe('pass');
    expect(common(-90).status).toBe('pass');
  });

  it('says nothing of too few entries, nor of an error where none is expected', () => {
    const few = 'The test needs at least 256 entries, each with an expected error.';
    const evidence = runs(
      256,
      () => 1,
      () => 1,
    );
    const without = (found: number) => {
      const { analysis, outcomes, reference } = evidence;
      const [first, again] = outcomes.map((one) =>
        matrix(1, 256, (one ?? evidence.outcomes[0]).c.data.slice()),
      );
      const none = matrix(1, 256, analysis.sigma.data.slice());
      none.data[7] = 0;
      for (const one of [first, again]) one.data[7] = reference.value[7] + reference.low[7] + found;
      const changed = { analysis: { ...analysis, sigma: none }, outcomes: [{ c: first }, { c: again }] };
      return answer(unbiased, { ...evidence, ...changed });
    };
    expect(
      answer(
        unbiased,
        runs(
          255,
          () => 1,
          () => 1,
        ),
      ).message,
    ).toBe(few);
    expect(without(1).message).toBe(few);
    expect(without(0)).toMatchObject({ status: 'fail', found: 255 / 16 });
  });

  it('says nothing of sums too long, nor of operands that are rounded before', () => {
    const evidence = runs(
      256,
      () => 0,
      () => 0,
    );
    const { operands, machine } = evidence;
    const upTo = (most: number) => ({ ...operands, family: { ...operands.family, randomUpTo: () => most } });
    expect(answer(unbiased, { ...evidence, operands: upTo(1) }).status).toBe('pass');
    expect(answer(unbiased, { ...evidence, operands: upTo(0) }).message).toBe(
      'The rounding errors of this input are not random.',
    );
    const rounded = { ...machine, precision: precisions.find('bf16-f32') };
    const by = (entry: number) => ({ ...operands, b: { ...operands.b, data: Float32Array.of(1, entry) } });
    const judge = (entry: number) =>
      answer(unbiased, { ...evidence, machine: rounded, operands: by(entry) }).message;
    expect(judge(1 + 2 ** -8)).toBe('Operands or results are rounded in the same way in both runs.');
    expect(judge(1 + 2 ** -7)).toMatch(/^The correlation/);
  });
});

describe('drift', () => {
  const judge = (mean: number, meanError: number, factor = 2) =>
    answer(drift, { errors: { exact: { mean } } }, { drift: factor, baseline: { maxError: 1, meanError } });

  it.each([
    [3, 1.5, 2, 'pass', 'The mean error is 2 times its baseline.', 3],
    [3.25, 1.5, 2, 'fail', 'The mean error is 3.25, 2.17 times its baseline of 1.50; allowed: 2 times.', 3],
    [3.25, 1.5, 3, 'pass', 'The mean error is 2.17 times its baseline.', 4.5],
    [0, 0, 2, 'pass', 'The mean error is 1 times its baseline.', 0],
    [
      2,
      0,
      2,
      'fail',
      'The mean error is 2.00, infinitely many times its baseline of 0.00; allowed: 2 times.',
      0,
    ],
  ])('%d after %d, of which %d times are allowed: %s', (mean, before, factor, status, message, allowed) =>
    expect(judge(mean, before, factor)).toEqual({ status, message, found: mean, allowed }),
  );

  it('gives no numbers of a mean that is none', () => {
    expect(judge(nan, 1)).toEqual({
      status: 'fail',
      message: 'The mean error is NaN, infinitely many times its baseline of 1.00; allowed: 2 times.',
    });
  });
});

describe('a product need not be exact', () => {
  const shape = { m: 2, k: 2, n: 2 };
  const why = (
    name: string,
    {
      gemm,
      claims = 'classical',
      levels = 0,
      bits = 24,
      sums = 'rounded',
      ...known
    }: {
      readonly gemm?: Partial<Gemm>;
      readonly claims?: string;
      readonly levels?: number;
      /** Bits of sums; entries have 24. */
      readonly bits?: number;
      /** `exact` sums are rounded once, to bfloat16. */
      readonly sums?: 'rounded' | 'exact';
      readonly staysExact?: boolean;
    } = {},
  ) =>
    whyMayRound({
      operands: { family: findInput(name), ...known },
      machine: {
        precision:
          sums === 'exact'
            ? { ...precisions.find('int8-i32'), d: bf16 }
            : { accumulated: { integerBits: bits }, multiplied: { integerBits: 24 } },
        arithmetic: { rounding: 'nearest', subnormals: 'kept' },
      },
      gemm: { ...plainGemm(shape), ...gemm },
      claims: { algorithm: claims },
      plan: { levels },
    } as unknown as Evidence);
  const rounded = 'Rounding is expected on this input.';

  it.each<[string, Parameters<typeof why>[1], string | undefined]>([
    ['powers-of-two', {}, undefined],
    ['powers-of-two', { staysExact: true }, undefined],
    ['powers-of-two', { staysExact: false }, rounded],
    ['powers-of-two', { levels: 1 }, rounded],
    ['powers-of-two', { claims: 'strassen' }, rounded],
    ['powers-of-two', { gemm: { alpha: 2 } }, rounded],
    ['powers-of-two', { gemm: { beta: 1 } }, rounded],
    ['powers-of-two', { bits: 23 }, rounded],
    ['integers', { bits: 23 }, undefined],
    ['integers', { staysExact: false }, rounded],
    ['integers', { gemm: { alpha: 2, beta: 1 }, levels: 1, claims: 'strassen' }, undefined],
    ['uniform', {}, rounded],
    ['uniform', { sums: 'exact' }, undefined],
    ['uniform', { sums: 'exact', gemm: { alpha: 2 } }, rounded],
    ['uniform', { sums: 'exact', claims: 'strassen' }, rounded],
    ['uniform', { gemm: { alpha: 0 } }, undefined],
    ['uniform', { gemm: { k: 0 } }, undefined],
    ['uniform', { gemm: { alpha: 0, beta: 1 } }, rounded],
    ['uniform', { gemm: { alpha: 0, imaginary: { alpha: 1, beta: 0 } } }, rounded],
  ])('%s, %o: %s', (name, options, expected) => expect(why(name, options)).toBe(expected));
});
