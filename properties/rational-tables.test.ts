import { describe, expect, it, test } from 'vitest';
import { algorithmRegistry, findAlgorithm } from '../src/algorithms/algorithms.ts';
import { composePower } from '../src/algorithms/bilinear-table.ts';
import { coefficientFraction, factorText } from '../src/algorithms/coefficient.ts';
import { defineAlgorithm } from '../src/algorithms/define-algorithm.ts';
import { inShort, itWhole } from '../src/base/in-short.testing.ts';
import { createRandom } from '../src/base/random.ts';
import { addRationals, rational, toNumber } from '../src/base/rational.ts';
import { makeCampaign } from '../src/config/campaign-of.ts';
import { defaultThresholds } from '../src/evidence/checks/check.ts';
import { Evaluator } from '../src/evidence/evaluate.ts';
import { builtinItems } from '../src/evidence/items.ts';
import { judgeProduct } from '../src/evidence/judge-product.ts';
import { resultOf } from '../src/evidence/result-of.ts';
import { exactProduct } from '../src/exact/exact.ts';
import { defaultCampaign } from '../src/gate/campaign.ts';
import { planCampaign } from '../src/gate/plan-campaign.ts';
import type { Machine } from '../src/gpu/device.ts';
import { checkCase } from '../src/kernels/check-case.ts';
import type { Claims } from '../src/kernels/claims.ts';
import { externalKernel } from '../src/kernels/external-kernel.ts';
import { openFunctionKernel } from '../src/kernels/function-kernel.ts';
import { makeKernelCatalog } from '../src/kernels/kernel-catalog.ts';
import type { FunctionKernel } from '../src/kernels/user-kernel.ts';
import { matrix, type RealArray, type Shape } from '../src/matrix/dense.ts';
import { f16 } from '../src/precision/format.ts';
import { applyClaims } from '../src/precision/precision.ts';
import { precisions } from '../src/precision/precisions.ts';
import { formatCase } from '../src/problem/case.ts';
import { inThirds, type Making, type Rows, recursed, type Way, ways } from './thirds.ts';

/**
 * The law: no kernel that computes by a table with thirds exceeds its bound, nor its expected error by much, for every way of multiplying
 * by 1/3. A kernel that keeps 1/3 in fewer bits than its sums does exceed it.
 *
 * Why: 1/3 is rounded before any multiplication, and alike in all entries. A bound of the product's rounding alone is too small for it.
 */
const tables = [
  defineAlgorithm(inThirds(findAlgorithm('strassen'), 'thirds')),
  defineAlgorithm(inThirds(findAlgorithm('winograd'), 'mixed-thirds')),
  // A single product, so that a search for the worst case has few numbers to choose. Its first coefficient is nearly 1 + 2^-11, halfway in
  // binary16.
  defineAlgorithm({
    ...{ name: 'one-third', title: 'One third', what: 'a table of a test', source: 'a test' },
    base: { m: 1, k: 1, n: 1 },
    u: [['2047/2046']],
    v: [['2046/2047']],
    w: [[1]],
  }),
];
const algorithms = algorithmRegistry.with(tables);
const items = { ...builtinItems, algorithms };

const SIZE = 16;
/** Least ratio of the worst error of a search to the bound, and the threshold in units of the expected error. */
const REACHED = 1 / 2;
const SIGMAS = 6;

const recursions: readonly Claims['recursion'][] = [
  undefined,
  { fringe: 'static-pad' },
  { fringe: 'static-pad', schedule: 'scheduled' },
];
const asked = ['thirds', 'mixed-thirds'].flatMap((algorithm) =>
  [1, 2, 3].flatMap((levels) =>
    ['f32', 'f16', 'bf16-f32', 'f64', 'f16-f32'].flatMap((precision) =>
      recursions.map((recursion) => ({ algorithm, levels, precision, recursion })),
    ),
  ),
);

function numbersOf(name: string) {
  const { a, accumulated, multiplied } = precisions.find(name);
  const operand = multiplied === a ? (x: number) => x : multiplied.round;
  const draw = (of: () => number, size = SIZE): Rows =>
    Array.from({ length: size }, () => Array.from({ length: size }, () => a.round(of())));
  const flat = (x: Rows) => {
    const [rows, cols, data] = [x.length, x[0].length, x.flat()];
    return matrix(rows, cols, a.precision > 24 ? Float64Array.from(data) : Float32Array.from(data));
  };
  return { draw, flat, making: { round: accumulated.round, operand } };
}

describe.each(inShort(asked, 17))(
  '$algorithm, $levels levels, in $precision, as $recursion',
  ({ algorithm, levels, precision, recursion }) => {
    const table = algorithms.find(algorithm);
    const { draw, flat, making } = numbersOf(precision);
    const claims = { algorithm, levels, ...(recursion && { recursion }) };

    test.each([
      [-1, 1],
      [2, 5],
    ])('entries from %f to %f: honest kernels stay below', (least, most) => {
      const random = createRandom(levels, 78, 'fine');
      const [x, y] = [draw(() => random.uniform(least, most)), draw(() => random.uniform(least, most))];
      for (const way of ways) {
        const how: Making = { ...making, way, random: recursion?.schedule ? undefined : random };
        const products = [recursed(table, levels, x, y, how)];
        if (levels === 2 && recursion?.schedule === undefined)
          products.push(recursed(composePower(table, 2), 1, x, y, how));
        for (const c of products) {
          const found = judgeProduct(flat(c), flat(x), flat(y), { precision, claims, sigmas: SIGMAS }, items);
          expect(found.verdict).not.toBe('fail');
          expect(found.sigmas).toBeLessThan(SIGMAS / 2);
        }
      }
    });
  },
);

const keeping: readonly (readonly [string, Making['kept'] & {}])[] = [
  ['in binary16', f16.round],
  ['in three digits', (c) => Math.trunc(c * 1000) / 1000],
];
const faults = keeping.flatMap(([kept, keep]) =>
  ['f32', 'f64'].flatMap((precision) =>
    [1, 2].flatMap((levels) => recursions.map((recursion) => ({ kept, keep, precision, levels, recursion }))),
  ),
);

it.each(inShort(faults, 5))(
  'a kernel of $precision that keeps 1/3 $kept fails at $levels levels, as $recursion',
  ({ keep, precision, levels, recursion }) => {
    const { draw, flat, making } = numbersOf(precision);
    const random = createRandom(5, levels, 'fine');
    const [x, y] = [draw(() => random.uniform(2, 5)), draw(() => random.uniform(2, 5))];
    const claims = { algorithm: 'thirds', levels, ...(recursion && { recursion }) };
    const c = recursed(algorithms.find('thirds'), levels, x, y, { ...making, way: 'rounded', kept: keep });
    const found = judgeProduct(flat(c), flat(x), flat(y), { precision, claims, sigmas: SIGMAS }, items);
    expect(found.verdict).toBe('fail');
  },
);

/** Returns the largest ratio of single entries to the bound, over draws and all entries that the search derives from the worst. */
function worstOf(precision: string, way: Way, levels: number): number {
  const { flat, making } = numbersOf(precision);
  const table = algorithms.find('one-third');
  const random = createRandom(9, levels, 'fine');
  const { a } = precisions.find(precision);
  const used = (x: number, y: number): number => {
    const c = recursed(table, levels, [[x]], [[y]], { ...making, way });
    const claims = { algorithm: 'one-third', levels, recursion: RECURSION };
    return judgeProduct(flat(c), flat([[x]]), flat([[y]]), { precision, claims }, items).boundUsed;
  };
  let [worst, at] = [0, [1, 1]];
  for (let draw = 0; draw < DRAWS; draw++) {
    const near = draw > DRAWS / 2 ? at.map((x) => x * (1 + random.uniform(-0.01, 0.01))) : undefined;
    const [x, y] = (near ?? [random.uniform(1, 1.1), random.uniform(1, 1.1)]).map(a.round);
    const found = used(x, y);
    if (found > worst) [worst, at] = [found, [x, y]];
  }
  return worst;
}
const RECURSION = { fringe: 'static-pad', schedule: 'scheduled' } as const;
const DRAWS = 300;

const searches = ['f32', 'f64'].flatMap((precision) => ways.map((way) => ({ precision, way })));

it.each(inShort(searches, 3))('a search finds half of the bound and no more, in $precision, $way', (of) => {
  const worst = worstOf(of.precision, of.way, 1);
  expect(worst).toBeLessThan(1);
  expect(worst).toBeGreaterThan(REACHED);
});

itWhole.each(searches.flatMap((of) => [2, 3].map((levels) => ({ ...of, levels }))))(
  'nor at $levels levels, in $precision, $way',
  ({ precision, way, levels }) => expect(worstOf(precision, way, levels)).toBeLessThan(1),
);

it('a table of which one coefficient is changed by a third is refused', () => {
  const [{ u, v, w, ...rest }] = tables;
  const changed = { u, v, w };
  for (const part of ['u', 'v', 'w'] as const) {
    for (const [r, row] of changed[part].entries()) {
      const other = row.map((x, at) =>
        at === r % row.length ? factorText(toNumber(addRationals(coefficientFraction(x), THIRD))) : x,
      );
      const rows = changed[part].map((one, at) => (at === r ? other : one));
      expect(() => defineAlgorithm({ ...rest, ...changed, [part]: rows })).toThrow(
        /its table gives|is empty/,
      );
    }
  }
});
const THIRD = rational(1, 3);

/** Judges every `each`-th case of the default gate on a user's kernel. Returns the failing cases, and the inputs of all. */
async function gated(
  precision: string,
  way: Way,
  each: number,
): Promise<{ failed: string[]; of: Set<string> }> {
  const isComplex = precision.startsWith('c');
  const real = precision.replace('c', 'f');
  const { making } = numbersOf(real);
  const [table] = tables;
  const spec = {
    name: 'mine',
    precision,
    claims: { algorithm: table.name, levels: 1 },
    multiply: (a: RealArray, b: RealArray, { m, k, n }: Shape) => {
      const parts = isComplex ? 2 : 1;
      const even = (size: number) => parts * (size + (size % 2));
      const at = (x: RealArray, e: number) => (e < 0 ? 0 : x[e]);
      // Complex entries are [[re, −im], [im, re]] by [re, im], so that blocks are those of complex entries.
      const left = grid(even(m), even(k), (i, p) => {
        const [row, col] = [Math.floor(i / parts), Math.floor(p / parts)];
        if (row >= m || col >= k) return 0;
        if (!isComplex) return at(a, row * k + col);
        const [re, im] = [a[2 * (row * k + col)], a[2 * (row * k + col) + 1]];
        return i % 2 === p % 2 ? re : i % 2 === 0 ? -im : im;
      });
      const right = grid(even(k), n + (n % 2), (p, j) => {
        const row = Math.floor(p / parts);
        return row >= k || j >= n ? 0 : b[parts * (row * n + j) + (p % parts)];
      });
      const c = recursed(table, 1, left, right, { ...making, way });
      const entry = (_: unknown, e: number) => {
        const [at, part] = [Math.floor(e / parts), e % parts];
        return c[parts * Math.floor(at / n) + part][at % n];
      };
      const length = parts * m * n;
      return real === 'f64' ? Float64Array.from({ length }, entry) : Float32Array.from({ length }, entry);
    },
  } as unknown as FunctionKernel<Float32Array>;
  const kernel = externalKernel(
    spec,
    openFunctionKernel(spec),
    applyClaims(precisions.find(precision)),
    algorithms,
  );
  const cases = planCampaign({ ...defaultCampaign, kernels: ['mine'] }, makeKernelCatalog([spec], items));
  const evaluator = new Evaluator(exactProduct, { items, kept: 20 });
  const [failed, of]: [string[], Set<string>] = [[], new Set()];
  for (const value of cases.filter((_, at) => at % each === 0)) {
    const found = await evaluator.attempt({ case: value, kernel }, {} as Machine);
    const { verdict, reason } = await resultOf(value, kernel, found, defaultThresholds);
    of.add(value.problem.input);
    if (verdict === 'fail') failed.push(`${formatCase(value)}: ${reason}`);
  }
  return { failed, of };
}
const grid = (rows: number, cols: number, of: (i: number, j: number) => number): Rows =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (_, j) => of(i, j)));

itWhole.each(
  ['f32', 'f64', 'f16-f32', 'c32', 'c64'].flatMap((precision) => ways.map((way) => ({ precision, way }))),
)(
  'the default gate passes a kernel of $precision, $way, and asks it for no whole numbers',
  async ({ precision, way }) => {
    const { failed, of } = await gated(precision, way, precision.startsWith('c') ? 21 : 7);
    expect(failed).toEqual([]);
    expect(of.size).toBeGreaterThan(3);
    for (const input of ['integers', 'identity', 'bytes', 'wild-integers']) expect(of).not.toContain(input);
  },
);

it('expects what 1/3 brings to all entries alike, where leaf sums are exact beside it', () => {
  const size = 64;
  const { draw, flat, making } = numbersOf('f32');
  const random = createRandom(6, 1, 'fine');
  const [x, y] = [draw(() => random.uniform(2, 2.5), size), draw(() => random.uniform(2, 2.5), size)];
  const claims: Claims = {
    algorithm: 'mixed-thirds',
    levels: 1,
    recursion: { fringe: 'static-pad', schedule: 'scheduled' },
    arithmetic: { accumulator: { bits: 53 } },
  };
  for (const way of ways) {
    const how: Making = { ...making, way, leaf: (sum) => sum };
    const c = recursed(algorithms.find('mixed-thirds'), 1, x, y, how);
    const found = judgeProduct(flat(c), flat(x), flat(y), { claims, sigmas: SIGMAS }, items);
    expect(found.sigmas).toBeLessThan(1);
  }
});

it('draws no case of whole numbers for a kernel of such a table', () => {
  const claims = { algorithm: 'mixed-thirds', levels: 1 };
  const spec: FunctionKernel = { name: 'mine', claims, multiply: (a: Float32Array) => a };
  const catalog = makeKernelCatalog([spec], items);
  const cases = planCampaign(makeCampaign({ kernels: [spec] }, 'quick'), catalog);
  expect(cases.some(({ drawn }) => drawn)).toBe(true);
  for (const value of cases) expect(() => checkCase(value, catalog)).not.toThrow();
});
