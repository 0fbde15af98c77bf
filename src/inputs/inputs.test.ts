import { describe, expect, test } from 'vitest';
import { findAlgorithm } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/growth.ts';
import { inShort } from '../base/in-short.testing.ts';
import { exactProduct } from '../exact/exact.ts';
import { matrix, type RealArray } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { emulated } from '../precision/arithmetic.ts';
import { precisions } from '../precision/precisions.ts';
import { singleComputation } from '../precision/single.ts';
import { runModel } from '../readers/model.ts';
import type { InputPair, InputRequest } from './input.ts';
import { findInput, inputs } from './inputs.ts';
import { integerBudget } from './integer-budget.ts';

/** Growth of a level of Winograd's variant. */
const growth = sharedGrowth();

const f = Math.fround;

/** Computes a sequential, unfused binary32 product. */
function classical({ a, b }: InputPair, order?: readonly number[]): Float32Array {
  const [m, k, n] = [a.rows, a.cols, b.cols];
  const c = new Float32Array(m * n);
  for (const t of order ?? Array.from({ length: k }, (_, at) => at)) {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < n; j++) c[i * n + j] = f(c[i * n + j] + f(a.data[i * k + t] * b.data[t * n + j]));
    }
  }
  return c;
}

/** Computes the product in double. */
function inDouble({ a, b }: InputPair): Float64Array {
  const [m, k, n] = [a.rows, a.cols, b.cols];
  return Float64Array.from({ length: m * n }, (_, at) => {
    let sum = 0;
    for (let t = 0; t < k; t++) sum += a.data[Math.floor(at / n) * k + t] * b.data[t * n + (at % n)];
    return sum;
  });
}

/** Returns the correlation of finite entries at the same places. */
function correlation(a: RealArray, b: RealArray): number {
  const both = Array.from(a, (x, at) => [x, b[at]]).filter((pair) => pair.every(Number.isFinite));
  const [meanA, meanB] = [0, 1].map((of) => both.reduce((sum, pair) => sum + pair[of], 0) / both.length);
  let [ab, aa, bb] = [0, 0, 0];
  for (const [x, y] of both) {
    ab += (x - meanA) * (y - meanB);
    aa += (x - meanA) ** 2;
    bb += (y - meanB) ** 2;
  }
  return ab / Math.sqrt(aa * bb);
}

/** Computes one product of squares in binary32 by levels of Winograd’s variant. */
function winogradOf({ a, b }: InputPair, levels: number): RealArray {
  const shape = { m: a.rows, k: a.cols, n: b.cols };
  const plan = compile({ algorithm: findAlgorithm('winograd'), shape, depth: { levels } });
  return runModel(plan, a, b, singleComputation(emulated)).data;
}

const make = (name: string, request: Partial<InputRequest> & { m: number; k: number; n: number }) =>
  findInput(name).generate({ seed: 1, ...request });

const cube = (size: number) => ({ m: size, k: size, n: size });

const OF_WHOLE_NUMBERS: Readonly<Record<string, string>> = {
  ends: 'int8-row',
  overflows: 'int8-i32',
  'factor-ends': 'nvfp4',
};

describe('every family', () => {
  test('has a name of its own, and is found by it', () => {
    expect(new Set(inputs.map((family) => family.name)).size).toBe(inputs.length);
    for (const family of inputs) expect(findInput(family.name)).toBe(family);
    expect(() => findInput('unifrom')).toThrow('Did you mean "uniform"?');
  });

  for (const all of inputs) {
    // Families of only whole numbers are refused in binary32.
    const precision = precisions.find(OF_WHOLE_NUMBERS[all.name] ?? 'f32');
    const family: typeof all = {
      ...all,
      accepts: (shape) => all.accepts({ ...shape, precision }),
      generate: (request) => all.generate({ ...request, precision }),
    };
    test(`${family.name} makes what it says for sizes from nothing to odd, or refuses with a reason`, () => {
      for (const [m, k, n] of [
        [0, 0, 0],
        [3, 0, 2],
        [0, 4, 4],
        [1, 1, 1],
        [1, 7, 1],
        [5, 3, 9],
        [13, 13, 13],
        [2, 40, 3],
      ]) {
        const shape = { m, k, n };
        const answer = family.accepts(shape);
        if (!answer.ok) {
          expect(() => family.generate({ ...shape, seed: 1 })).toThrow(answer.reason);
          continue;
        }
        const pair = family.generate({ ...shape, seed: 1 });
        matrix(m, k, pair.a.data);
        matrix(k, n, pair.b.data);
        expect(pair.ideal !== undefined).toBe(family.hasIdeal);
        const finite = [...pair.a.data, ...pair.b.data].every(Number.isFinite);
        expect(finite).toBe(!pair.hasSpecials);
      }
    });

    test(`${family.name} depends on its seed alone`, () => {
      const shape = cube(12);
      const [one, again, other] = [1, 1, 2].map((seed) => family.generate({ ...shape, seed }));
      expect(again.a.data).toEqual(one.a.data);
      expect(again.b.data).toEqual(one.b.data);
      const seedless = ['inverse-pair', 'identity'].includes(family.name);
      expect(one.a.data.every((value, at) => Object.is(value, other.a.data[at]))).toBe(seedless);
    });

    test(`${family.name} draws A and B apart`, () => {
      const { a, b } = family.generate({ ...cube(32), seed: 1 });
      const turned = b.data.map((_, at) => b.data[(at % 32) * 32 + Math.floor(at / 32)]);
      expect(Math.abs(correlation(a.data, b.data))).toBeLessThan(0.25);
      // Some families choose B depending on A.
      expect(Math.abs(correlation(a.data, turned))).toBeLessThan(0.8);
    });

    test(`${family.name} is exact where it says so`, () => {
      const pair = family.generate({ ...cube(17), seed: 3, levels: 0 });
      const exact = inDouble(pair);
      const backwards = Array.from({ length: 17 }, (_, at) => 16 - at);
      if (family.exactness !== 'none') {
        expect(Array.from(classical(pair))).toEqual(Array.from(exact));
        expect(Array.from(classical(pair, backwards))).toEqual(Array.from(exact));
      }
    });
  }
});

describe('integers', () => {
  test.each([0, 1, 2, 3])('of %i levels fill the budget of their sums, and no more', (levels) => {
    const { a, b } = make('integers', { ...cube(64), levels, growth });
    const [x, y] = [a, b].map(({ data }) => Math.max(...data.map(Math.abs)));
    const budget = integerBudget(64, { levels, growth });
    expect(x * y).toBeLessThanOrEqual(budget);
    expect(x * y).toBeGreaterThan(budget / 4);
  });

  test('have no zero, so that any dropped term shows', () => {
    const { a, b } = make('integers', { m: 9, k: 2000, n: 9, levels: 3, growth });
    expect([...a.data, ...b.data].some((value) => value === 0)).toBe(false);
  });

  test('say so when nothing fits', () => {
    expect(() => make('integers', { m: 4, k: 32768, n: 4, levels: 4, growth })).toThrow(
      'does not support the shape 4×32768×4, because with 4 levels and k = 32768, even sums of ±1 could exceed the exact range of f32',
    );
  });
});

describe('inverse-pair', () => {
  test('is square', () => {
    expect(() => make('inverse-pair', { m: 4, k: 4, n: 5 })).toThrow('square: m = k = n');
  });

  // Golden numbers: an independent C program, binary32 throughout, sequential k, no contraction.
  test.each(
    inShort(
      [
        [16, 4.768371582e-7, 3.905734047e-8],
        [256, 7.86781311e-6, 4.165089962e-8],
        [48, 1.549720764e-6, 3.892111838e-8],
      ],
      2,
    ),
  )('initialised in binary32 gives the errors of the C program at n = %i', (n, max, mean) => {
    const pair = make('inverse-pair', cube(n));
    const c = classical(pair);
    const errors = Array.from(c, (value, at) => Math.abs(value - pair.ideal!(Math.floor(at / n), at % n)));
    expect(Math.max(...errors)).toBeCloseTo(max, 14);
    expect(errors.reduce((sum, error) => sum + error, 0) / (n * n)).toBeCloseTo(mean, 16);
  });

  test('initialised in double is nearer to a pair of inverses', () => {
    const worst = (init: 'f32' | 'f64') =>
      Math.max(
        ...inDouble(make('inverse-pair', { ...cube(64), init })).map((c, at) =>
          Math.abs(c - (at % 65 === 0 ? 1 : 0)),
        ),
      );
    expect(worst('f64')).toBeLessThan(worst('f32'));
  });
});

describe('complementary-zeros', () => {
  test.each([
    [16, 16, 16],
    [1, 5, 2],
    [7, 1, 9],
    [6, 0, 3],
  ])('has exact zeros where it says, %i×%i×%i', (m, k, n) => {
    const pair = make('complementary-zeros', { m, k, n });
    const c = classical(pair);
    c.forEach((value, at) => {
      expect(value === 0).toBe(pair.expectsZero!(Math.floor(at / n), at % n));
    });
  });

  test('has no zeros left after one level of Winograd’s variant, but for a few', () => {
    const pair = make('complementary-zeros', cube(32));
    const c = winogradOf(pair, 1);
    const expected = Array.from(c.keys()).filter((at) => pair.expectsZero!(at >> 5, at & 31));
    expect(expected.length).toBe(512);
    expect(expected.filter((at) => c[at] !== 0).length).toBeGreaterThan(100);
  });
});

test('scaled rows are 2^20 apart, and one level of a fast algorithm ruins the small ones', () => {
  const pair = make('scaled-rows', cube(32));
  const exact = inDouble(pair);
  const relative = (c: RealArray) =>
    Math.max(...c.subarray(0, 512).map((value, at) => Math.abs(value - exact[at])));
  expect(relative(winogradOf(pair, 1)) / relative(classical(pair))).toBeGreaterThan(1e4);
});

test('wide exponents span many binades, and neither overflow nor underflow', () => {
  const pair = make('wide-exponents', { m: 200, k: 60, n: 200 });
  const sizes = [...pair.a.data, ...pair.b.data].map((value) => Math.log2(Math.abs(value)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(62);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(-62);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeGreaterThan(60);
});

test('ill-conditioned products cancel: no correct bit is left to binary32', () => {
  const pair = make('ill-conditioned', { m: 8, k: 99, n: 8 });
  const exact = inDouble(pair);
  const absolute = inDouble({
    ...pair,
    a: { ...pair.a, data: pair.a.data.map(Math.abs) },
    b: { ...pair.b, data: pair.b.data.map(Math.abs) },
  });
  const condition = absolute.map((size, at) => size / Math.abs(exact[at]));
  expect([...condition].sort((x, y) => x - y)[32]).toBeGreaterThan(2 ** 24);
  expect(() => make('ill-conditioned', { m: 8, k: 2, n: 8 })).toThrow('k ≥ 3');
});

test('special values leave most of the product finite, and make no NaN out of a flushed subnormal', () => {
  const size = 64;
  const pair = make('special-values', cube(size));
  const product = inDouble(pair);
  const finite = product.filter(Number.isFinite).length;
  expect(finite / product.length).toBeGreaterThan(0.7);
  expect(finite).toBeLessThan(product.length);
  const flush = (data: RealArray) => data.map((value) => (Math.abs(value) < 2 ** -126 ? 0 : value));
  const flushed = inDouble({
    ...pair,
    a: { ...pair.a, data: flush(pair.a.data) },
    b: { ...pair.b, data: flush(pair.b.data) },
  });
  const kind = (value: number) => (Number.isFinite(value) ? 'finite' : String(value));
  expect(Array.from(flushed, kind)).toEqual(Array.from(product, kind));
});

test('subnormals are all subnormal in A, and lifted columns of C are normal numbers', () => {
  const pair = make('subnormals', cube(8));
  expect(pair.a.data.every((value) => value !== 0 && Math.abs(value) < 2 ** -126)).toBe(true);
  expect(pair.hasSubnormals).toBe(true);
  const c = classical(pair);
  expect(c.filter((_, at) => at % 2 === 1).every((value) => value === 0 || Math.abs(value) > 2 ** -126)).toBe(
    true,
  );
});

test('factors at their ends stay in range where the products of a batch have a matrix in common', () => {
  for (const precision of precisions.items.filter(({ coded }) => coded !== undefined)) {
    for (let seed = 1; seed < 9; seed++) {
      const asked = { m: 3, k: 1, n: 3, precision };
      const [{ b }, { a }] = [seed, seed + 1].map((own) =>
        findInput('factor-ends').generate({ ...asked, seed: own, sharedSeed: seed }),
      );
      expect(
        exactProduct(a, b).product.data.every((x) => Math.abs(x) <= precision.accumulated.maxFinite),
      ).toBe(true);
    }
  }
});
