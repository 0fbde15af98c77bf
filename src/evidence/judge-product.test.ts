import { describe, expect, it } from 'vitest';
import { findInput } from '../inputs/inputs.ts';
import { claimedPlan } from '../kernels/external-kernel.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import type { Coding, Operand } from '../precision/coding/coding.ts';
import { quantize } from '../precision/coding/quantize.ts';
import { applyClaims } from '../precision/precision.ts';
import { precisions } from '../precision/precisions.ts';
import { singlePrecision } from '../precision/single.ts';
import { runModel } from '../readers/model.ts';
import { judgeProduct } from './judge-product.ts';

const shape = { m: 24, k: 32, n: 20 };
const { a, b } = findInput('uniform').generate({ ...shape, seed: 3 });
const strassen = { algorithm: 'strassen', levels: 2 };
const product = (claims = {}) => runModel(claimedPlan(claims, shape), a, b, applyClaims(singlePrecision));

const changed = (c: Matrix, at: number, change: (x: number) => number): Matrix => {
  const data = c.data.slice();
  data[at] = change(data[at]);
  return { ...c, data };
};

describe('a product', () => {
  it.each([{}, strassen, { algorithm: 'winograd', levels: 1 }])('as %o gives it passes', (claims) => {
    const judged = judgeProduct(product(claims), a, b, { claims, sigmas: 6 });
    expect(judged).toMatchObject({ verdict: 'pass', wrong: 0 });
    expect(judged.boundUsed).toBeGreaterThan(0);
    expect(judged.sigmas).toBeLessThan(6);
    expect(judged.entries).toHaveLength(1);
  });

  it('that errs more than its claims allow fails, the worst entry first', () => {
    const wrong = changed(
      changed(product(), 47, (x) => x + 0.5),
      401,
      (x) => x + 0.25,
    );
    const judged = judgeProduct(wrong, a, b);
    expect(judged).toMatchObject({ verdict: 'fail', wrong: 2 });
    expect(judged.entries.map(({ i, j }) => [i, j])).toEqual([
      [2, 7],
      [20, 1],
    ]);
    expect(judged.entries[0].error).toBeCloseTo(0.5, 4);
    expect(judged.reason).toMatch(
      /^2 of 480 entries of C differ from A·B by more than their error bounds \(algorithm classical, f32\): /,
    );
  });

  it('of a fast algorithm that is claimed to be classical fails on operands that tell them apart', () => {
    const scaled = findInput('scaled-rows').generate({ ...shape, seed: 3 });
    const c = runModel(claimedPlan(strassen, shape), scaled.a, scaled.b, applyClaims(singlePrecision));
    expect(judgeProduct(c, scaled.a, scaled.b).verdict).toBe('fail');
    expect(judgeProduct(c, scaled.a, scaled.b, { claims: strassen }).verdict).toBe('pass');
  });

  it('held to fewer sigmas than its worst error is fails', () => {
    const { sigmas } = judgeProduct(product(), a, b);
    expect(judgeProduct(product(), a, b, { sigmas: sigmas * 0.99 }).verdict).toBe('fail');
    expect(judgeProduct(product(), a, b, { sigmas: sigmas * 1.01 }).verdict).toBe('pass');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('with %s in place of a number fails', (wrong) => {
    const judged = judgeProduct(
      changed(product(), 5, () => wrong),
      a,
      b,
    );
    expect(judged).toMatchObject({ verdict: 'fail', wrong: 1 });
    expect(judged.entries[0]).toMatchObject({ i: 0, j: 5, found: wrong });
  });

  it('has NaN and infinities where the exact product has them', () => {
    const special = { a: changed(a, 0, () => Number.POSITIVE_INFINITY), b };
    const c = runModel(claimedPlan({}, shape), special.a, b, applyClaims(singlePrecision));
    expect(judgeProduct(c, special.a, b).verdict).toBe('pass');
    const negated = changed(c, 3, (x) => -x);
    expect(judgeProduct(negated, special.a, b).verdict).toBe('fail');
  });

  it('whose bound proves nothing is inconclusive, unless its errors are held to what is expected', () => {
    const ill = findInput('ill-conditioned').generate({ ...shape, seed: 3 });
    const c = runModel(claimedPlan({}, shape), ill.a, ill.b, applyClaims(singlePrecision));
    expect(judgeProduct(c, ill.a, ill.b)).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/exceeds C itself and proves nothing/),
    });
    expect(judgeProduct(c, ill.a, ill.b, { sigmas: 8 }).verdict).toBe('pass');
  });

  it('of another shape is refused', () => {
    expect(() => judgeProduct(matrix(20, 24, product().data), a, b)).toThrow(/C is 20×24; C must be 24×20/);
    expect(() => judgeProduct(product(), b, a)).toThrow(/A must have as many columns as B has rows/);
  });
});

describe('of coded operands', () => {
  const precision = 'mxfp8-e4m3';
  const coding = (of: Operand) => precisions.find(precision).coded?.[of] as Coding;
  const [left, right] = [quantize(a, 'a', coding('a')), quantize(b, 'b', coding('b'))];
  const c = runModel(
    claimedPlan({}, shape),
    left.decoded,
    right.decoded,
    applyClaims(precisions.find(precision)),
  );

  it('the product of elements and factors passes, that of the numbers before does not', () => {
    expect(judgeProduct(c, left.coded, right.coded, { precision }).verdict).toBe('pass');
    expect(judgeProduct(product(), left.coded, right.coded, { precision }).verdict).toBe('fail');
  });

  it.each([
    [
      { scales: [] },
      precision,
      'The codes of A cannot be used: the number of its tensors of scales is 0, but its coding has 1.',
    ],
    [
      {},
      'f32',
      'The argument A is missing or invalid: expected a matrix of numbers, since f32 does not code it',
    ],
    [
      {},
      'q8_0',
      'The argument A is missing or invalid: expected a matrix of numbers, since q8_0 does not code it',
    ],
  ])('%o in %s is refused in a sentence', (change, named, why) => {
    const given = { ...left.coded, ...change };
    expect(() => judgeProduct(c, given, right.coded, { precision: named })).toThrow(why);
  });
});

it.each([
  [{ precision: 'c32' }, /Unknown precision of real matrices "c32"/],
  [
    { claims: { algorithm: '3m' } },
    /claims 3m, which multiplies complex matrices, but its precision is f32\.$/,
  ],
  [
    { claims: { algorithm: '4m' } },
    /claims 4m, which multiplies complex matrices, but its precision is f32\.$/,
  ],
])('refuses %j of matrices that are real', (options, says) => {
  const one = matrix(1, 1, Float32Array.of(1));
  expect(() => judgeProduct(one, one, one, options)).toThrow(says);
});
