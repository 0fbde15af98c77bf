import { describe, expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { createRandom } from '../base/random.ts';
import { type Matrix, matrix } from '../matrix/dense.ts';
import { compile, type PlanOptions } from '../plan/compile.ts';
import { type Arithmetic, emulated } from '../precision/arithmetic.ts';
import { MIN_NORMAL32 } from '../precision/modeled-arithmetic.ts';
import { singleComputation } from '../precision/single.ts';
import { runModel } from './model.ts';

const nearest = emulated;
const flushing: Arithmetic = { ...nearest, subnormals: { operands: true, below: MIN_NORMAL32 } };

const row = (...entries: number[]) => matrix(1, entries.length, Float32Array.from(entries));
const column = (...entries: number[]) => matrix(entries.length, 1, Float32Array.from(entries));

/** Returns the product of A and B by an algorithm with a number of levels. */
function product(
  name: string,
  levels: number,
  a: Matrix,
  b: Matrix,
  arithmetic: Arithmetic = nearest,
  options: Partial<PlanOptions> = {},
): number[] {
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const plan = compile({ algorithm: findAlgorithm(name), shape, depth: { levels }, ...options });
  return Array.from(runModel(plan, a, b, singleComputation(arithmetic)).data);
}

const ulp = 2 ** -23;

describe('a leaf product', () => {
  test('is summed in the order of k', () => {
    const ones = column(1, 1, 1);
    expect(product('classical', 0, row(2 ** 24, 1, 1), ones)).toEqual([2 ** 24]);
    expect(product('classical', 0, row(1, 1, 2 ** 24), ones)).toEqual([2 ** 24 + 2]);
  });

  test('rounds products before it adds them, unless the device fuses', () => {
    const [a, b] = [row(1, 1 + ulp), column(-1, 1 - ulp)];
    expect(product('classical', 0, a, b)).toEqual([0]);
    expect(product('classical', 0, a, b, { ...nearest, fma: 'once' })).toEqual([-(ulp ** 2)]);
  });

  test('flushes subnormal operands, products and sums as the device does', () => {
    const [tiny, below] = [2 ** -140, 1.5 * 2 ** -126];
    expect(product('classical', 0, row(tiny), column(2 ** 100))).toEqual([2 ** -40]);
    expect(product('classical', 0, row(tiny), column(2 ** 100), flushing)).toEqual([0]);
    expect(product('classical', 0, row(2 ** -70), column(2 ** -70), flushing)).toEqual([0]);
    expect(product('classical', 0, row(below, -(2 ** -126)), column(1, 1))).toEqual([2 ** -127]);
    expect(product('classical', 0, row(below, -(2 ** -126)), column(1, 1), flushing)).toEqual([0]);
  });

  test('starts at +0', () => {
    expect(product('classical', 0, row(-0), column(1))).toEqual([0]);
  });

  test('is the same by the fast path and by the one that minds subnormals', () => {
    const random = createRandom(1);
    const entries = (count: number) => Float32Array.from({ length: count }, () => random.uniform(-1, 1));
    const [a, b] = [matrix(7, 13, entries(91)), matrix(13, 5, entries(65))];
    // One subnormal entry of B, in a column of its own, sends the whole product down the slow path.
    const bOther = matrix(13, 6, new Float32Array(78));
    for (let i = 0; i < 13; i++) bOther.data.set(b.data.subarray(5 * i, 5 * i + 5), 6 * i);
    bOther.data[5] = 2 ** -140;
    const fast = product('classical', 0, a, b, flushing);
    const slow = product('classical', 0, a, bOther, flushing).filter((_, e) => e % 6 < 5);
    expect(slow).toEqual(fast);
  });
});

describe('sums of blocks', () => {
  test('are rounded one by one, in the order of the schedule', () => {
    const [a11, a22] = [1, 2 ** -24];
    const a = matrix(2, 2, Float32Array.of(a11, 0, 0, a22));
    const b = matrix(2, 2, Float32Array.of(1, 0, 0, 1));
    expect(product('classical', 1, a, b)).toEqual([1, 0, 0, 2 ** -24]);
    // A11 + A22 is a tie and becomes 1; M6 + M1 = −1 + 2, less A22·B11 = 2^-24, plus M3 = −1.
    expect(product('strassen', 1, a, b)).toEqual([1, 0, 0, -(2 ** -24)]);
  });

  test('take the signs of their terms', () => {
    const a = matrix(2, 2, Float32Array.of(1, 2, 3, 4));
    const b = matrix(2, 2, Float32Array.of(5, 6, 7, 8));
    for (const name of ['classical', 'strassen', 'winograd']) {
      expect(product(name, 1, a, b)).toEqual([19, 22, 43, 50]);
    }
  });

  test('flush subnormal sums', () => {
    const a = matrix(2, 2, Float32Array.of(1.5 * 2 ** -126, 0, 0, -(2 ** -126)));
    const identity = matrix(2, 2, Float32Array.of(2 ** 20, 0, 0, 2 ** 20));
    // M1 multiplies A11 + A22 = 2^-127 by 2^21.
    const kept = product('strassen', 1, a, identity);
    expect(kept).toEqual([1.5 * 2 ** -106, 0, 0, -(2 ** -106)]);
    expect(product('strassen', 1, a, identity, flushing)).not.toEqual(kept);
  });
});

describe('sizes that the levels do not divide', () => {
  const a = matrix(
    3,
    5,
    Float32Array.from({ length: 15 }, (_, e) => e + 1),
  );
  const b = matrix(
    5,
    3,
    Float32Array.from({ length: 15 }, (_, e) => 15 - e),
  );
  const expected = [105, 90, 75, 330, 290, 250, 555, 490, 425];

  test.each(['pad', 'peel'] as const)('%s', (fringe) => {
    for (const name of ['classical', 'strassen', 'winograd']) {
      for (const levels of [0, 1, 2, 3]) {
        const tile = { m: 4, k: 4, n: 8 };
        expect(product(name, levels, a, b, nearest, { fringe })).toEqual(expected);
        expect(product(name, levels, a, b, nearest, { fringe, tail: 'pad', tile })).toEqual(expected);
      }
    }
  });

  test('peeled terms of k are added after the core', () => {
    const [x, y] = [matrix(2, 3, new Float32Array(6).fill(1)), matrix(3, 2, new Float32Array(6).fill(1))];
    x.data.set([2 ** 24, 1, 1]);
    // Core: 2^24 + 1 = 2^24, and + 1 again is 2^24. Padded to 4, the second half is 1 + 0: the same.
    expect(product('classical', 1, x, y, nearest, { fringe: 'peel' })[0]).toBe(2 ** 24);
    x.data.set([1, 1, 2 ** 24]);
    expect(product('classical', 1, x, y, nearest, { fringe: 'peel' })[0]).toBe(2 ** 24 + 2);
  });
});

test('what nobody wrote is NaN', () => {
  const plan = compile({
    algorithm: findAlgorithm('strassen'),
    shape: { m: 2, k: 2, n: 2 },
    depth: { levels: 1 },
  });
  const without = { ...plan, steps: plan.steps.slice(1) };
  const ones = matrix(2, 2, new Float32Array(4).fill(1));
  // A21 − A11 is left out. It is only in C22.
  expect(Array.from(runModel(without, ones, ones, singleComputation(nearest)).data)).toEqual([
    2,
    2,
    2,
    Number.NaN,
  ]);
});

describe('what does not fit is refused', () => {
  const plan = (more: Partial<PlanOptions> = {}) =>
    compile({ algorithm: findAlgorithm('classical'), shape: { m: 1, k: 2, n: 1 }, ...more });
  const [a, b] = [row(1, 2), column(3, 4)];
  const plus = plan({ scaling: { alpha: 1, beta: 2 } });
  const single = singleComputation(nearest);

  test.each<[string, () => unknown, RegExp]>([
    ['no plan', () => runModel({} as never, a, b, single), /plan/],
    ['nothing to compute in', () => runModel(plan(), a, b, undefined as never), /argument computation/],
    ['no precision', () => runModel(plan(), a, b, { arithmetic: nearest } as never), /argument computation/],
    [
      'no arithmetic',
      () => runModel(plan(), a, b, { ...single, arithmetic: undefined } as never),
      /argument computation/,
    ],
    ['other operands', () => runModel(plan(), row(1), column(2), single), /the plan multiplies 1×2 by 2×1/],
    ['no C', () => runModel(plus, a, b, single), /a matrix, which the plan multiplies by beta/],
    ['another C', () => runModel(plus, a, b, single, row(1, 2)), /C is 1×2/],
  ])('%s', (_, run, message) => expect(run).toThrow(message));

  test('C of its shape is added', () => {
    expect(Array.from(runModel(plus, a, b, single, row(10)).data)).toEqual([31]);
  });
});
