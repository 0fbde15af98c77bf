import { describe, expect, it, test } from 'vitest';
import published from '../../fixtures/published/strassen-gpu-2011-kernel-calls.json' with { type: 'json' };
import { countLevelsWithin, rank } from '../algorithms/algorithm.ts';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { inShort } from '../base/in-short.testing.ts';
import { compile, type PlanOptions } from '../plan/compile.ts';
import { describePlan, fullListing, type ListingRow } from './describe.ts';
import { nameStep } from './names.ts';

const plan = (name: string, levels: number, size: number, options: Partial<PlanOptions> = {}) =>
  compile({
    algorithm: findAlgorithm(name),
    shape: { m: size, k: size, n: size },
    depth: { levels },
    ...options,
  });

const figures = [
  ['Figure 12', 'strassen', published.figure12_strassen, published.figure16_calls],
  ['Figure 13', 'winograd', published.figure13_winograd, published.figure23_calls],
] as const;

describe.each(figures)('%s', (_, name, rows) => {
  const columns = ({ step, computation, kernel }: ListingRow) => ({
    step,
    computation,
    ...(kernel !== undefined && { kernel }),
  });

  it.each(rows.map((row, index) => ({ index, ...row })))('row $step: $computation', ({ index, ...row }) => {
    const [listing] = describePlan(plan(name, 1, 1024)).listings;
    expect(columns(listing.rows[index])).toEqual(row);
  });

  it.each([1, 2, 3])('is the innermost listing of %d levels, and nothing more', (levels) => {
    const listing = describePlan(plan(name, levels, 256)).listings[levels - 1];
    expect(listing.rows.map(columns)).toEqual(rows);
  });
});

describe.each(figures)('above %s', (_, name, rows, calls) => {
  it.each([2, 3])('%d levels make the recursive calls of the figure, in its order', (levels) => {
    const outer = describePlan(plan(name, levels, 256)).listings.slice(0, -1);
    expect(outer).toHaveLength(levels - 1);
    for (const listing of outer) {
      expect(listing.rows.map(({ computation }) => computation)).toEqual(
        rows.map(({ computation }) => computation),
      );
      const kernels = listing.rows.flatMap(({ kernel }) => kernel ?? []);
      expect(kernels.filter((kernel) => kernel.startsWith(name))).toEqual(calls);
    }
  });
});

test('levels are listed with their sizes and how often they are called', () => {
  const { listings } = describePlan(plan('strassen', 3, 100));
  expect(listings.map(({ level, shape, calls }) => [level, shape.n, calls])).toEqual([
    [1, 104, 1],
    [2, 52, 7],
    [3, 26, 49],
  ]);
});

test('no recursion is one row', () => {
  const { listings } = describePlan(plan('winograd', 0, 100));
  const row = { step: 1, call: [], computation: 'C = A * B', kernel: 'mul(A, B, C)' };
  expect(listings).toEqual([{ level: 0, shape: { m: 100, k: 100, n: 100 }, calls: 1, rows: [row] }]);
});

test('counts and workspace', () => {
  const described = describePlan(plan('winograd', 2, 4096));
  // Section 7.2: ten stand-alone sums and two double updates at the outer level; Figure 13: eight a call.
  expect(described).toMatchObject({ products: 49, fixUps: 0, combines: 10 + 2 + 7 * 8 });
  expect(described.steps).toBe(described.products + described.combines);
  expect(described.workspace).toEqual({ entries: 2 * (2048 ** 2 + 1024 ** 2), perEntryOfC: 0.625 });
  expect(described.saved).toEqual({ arithmetics: '23.3', transactions: '17.2', volume: '13.9' });
});

test('formulas are given only where they give the cost', () => {
  expect(describePlan(plan('strassen', 1, 1024)).formulas).toEqual({
    arithmetics: '7n³/4 + 11n²/4',
    transactions: '119n³/32768 + 35n²/64',
    volume: '63n³/256 + 50n²',
  });
  expect(describePlan(plan('strassen', 1, 1023)).formulas).toBeUndefined();
  expect(describePlan(plan('strassen', 2, 12)).formulas).toBeUndefined();
  const shape = { m: 64, k: 128, n: 64 };
  expect(describePlan(plan('strassen', 1, 64, { shape })).formulas).toBeUndefined();
});

describe.each(algorithms.map((algorithm) => [algorithm.name, algorithm] as const))(
  'the full listing of %s',
  (name, algorithm) => {
    /** Sizes for which each of three levels leaves a remainder of one row or column. */
    const { m, k, n } = algorithm.base;
    const shape = { m: 1 + m + m ** 2 + m ** 3, k: 1 + k + k ** 2 + k ** 3, n: 1 + n + n ** 2 + n ** 3 };
    const peeled = (levels: number) => compile({ algorithm, shape, depth: { levels }, fringe: 'peel' });
    const deepest = Math.min(3, countLevelsWithin(algorithm, 1500));
    it.each(inShort([0, 1, 2, 3].slice(0, deepest + 1), 2))(
      '%d levels: has every line of every step, in order',
      (levels) => {
        const { steps } = peeled(levels);
        const rows = fullListing(peeled(levels));
        const lines = rows.filter(({ kernel }) => !kernel?.startsWith(name));
        expect(lines.map(({ computation }) => computation)).toEqual(
          steps.flatMap((step) => nameStep(step).lines),
        );
        expect(rows.map(({ step }) => step)).toEqual(rows.map((_, index) => index + 1));
      },
    );

    it('opens each recursive call once, where it is made', () => {
      const rows = fullListing(peeled(deepest));
      const calls = Array.from({ length: deepest - 1 }, (_, depth) => rank(algorithm) ** (depth + 1));
      expect(rows.filter(({ kernel }) => kernel?.startsWith(name))).toHaveLength(
        calls.reduce((x, y) => x + y),
      );
      rows.forEach(({ call }, index) => {
        const deeper = call.length - (index === 0 ? 0 : rows[index - 1].call.length);
        expect(deeper).toBeLessThanOrEqual(1);
        if (deeper === 1) expect(rows[index - 1].kernel).toMatch(new RegExp(`^${name}\\(`));
      });
    });

    it('peeling completes the product of the call it belongs to', () => {
      const rows = fullListing(peeled(2));
      const fixUps = rows.filter(({ computation }) => /^(core|right|bottom)/.test(computation));
      expect(fixUps.filter(({ call }) => call.length === 0)).toHaveLength(3);
      expect(fixUps.filter(({ call }) => call.length === 1)).toHaveLength(3 * rank(algorithm));
      expect(rows.slice(-3)).toEqual(fixUps.slice(-3));
    });
  },
);

describe('fused products', () => {
  const algorithm = findAlgorithm('strassen');
  const shape = { m: 64, k: 64, n: 64 };
  const used = (row: readonly number[]) => row.filter((x) => x !== 0).length;
  const countsOf = algorithm.u.map((row, r) =>
    [used(row), used(algorithm.v[r]), used(algorithm.w[r])].join(),
  );

  it.each([
    ['fused', true],
    ['atomic', false],
  ] as const)('%s are counted by how many blocks they sum and update', (style, ordered) => {
    const { fused, products } = describePlan(compile({ algorithm, shape, depth: { levels: 1 }, style }));
    expect(fused).toMatchObject({ levels: 1, products: 7, ordered });
    expect(products).toBe(7);
    const found = fused!.variants.map(({ a, b, c, products: many }) => [`${a},${b},${c}`, many]);
    const expected = [...new Set(countsOf)].map((key) => [key, countsOf.filter((one) => one === key).length]);
    expect(new Map(found as [string, number][])).toEqual(new Map(expected as [string, number][]));
  });

  it('are called by batch and variant, the batches from 1 on', () => {
    const { fused, listings } = describePlan(
      compile({ algorithm, shape, depth: { levels: 1 }, style: 'fused' }),
    );
    const calls = listings.flatMap(({ rows }) => rows.flatMap(({ kernel }) => kernel ?? []));
    const named = calls.flatMap((call) => /^batch (\d+): var#(\d+)\(/.exec(call)?.slice(1).map(Number) ?? []);
    const batches = named.filter((_, at) => at % 2 === 0);
    expect(new Set(batches)).toEqual(new Set(Array.from({ length: fused!.batches }, (_, at) => at + 1)));
    const variants = named.filter((_, at) => at % 2 === 1);
    fused!.variants.forEach(({ products }, number) => {
      expect(variants.filter((one) => one === number)).toHaveLength(products);
    });
  });

  it('without them there is nothing to say of any', () => {
    expect(describePlan(compile({ algorithm, shape, depth: { levels: 1 } })).fused).toBeUndefined();
  });
});

test('where places of sums are free, names are those of the places', () => {
  const { listings } = describePlan(plan('strassen', 1, 64, { style: 'wide' }));
  const lines = listings.flatMap(({ rows }) => rows.map(({ computation }) => computation));
  const targets = lines.map((line) => line.split(' ')[0]);
  expect(targets.every((name) => /^(C[12][12]|T\d+|M\d+|S\d+)$/.test(name))).toBe(true);
  expect(targets).toEqual(expect.arrayContaining(['C11', 'C12', 'C21', 'C22']));
});
