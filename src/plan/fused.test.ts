import { describe, expect, it } from 'vitest';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import { composePower } from '../algorithms/bilinear-table.ts';
import { inShort } from '../base/in-short.testing.ts';
import { nameStep } from '../readers/names.ts';
import { compile } from './compile.ts';
import { batchesOf, operandCounts, variantNumbers, variantsOf } from './fused.ts';
import type { MultiplyStep, Plan, Step, Style } from './plan.ts';

const strassen = findAlgorithm('strassen');
const winograd = findAlgorithm('winograd');
const shape = { m: 10, k: 7, n: 9 };

const planOf = (style: Style, levels: number, algorithm = strassen): Plan =>
  compile({ algorithm, shape, depth: { levels }, style });

const products = ({ steps }: Plan): MultiplyStep[] =>
  steps.filter((step): step is MultiplyStep => step.kind === 'multiply');

describe('variants', () => {
  const figure6 = (levels: number) => {
    const table = composePower(strassen, levels);
    const numbers = variantNumbers(table);
    return variantsOf(table).map(({ a, b, c }, number) => [
      ...[a, b, c],
      numbers.filter((other) => other === number).length,
    ]);
  };

  it('of one level are those of Figure 6, as it numbers them', () => {
    expect(figure6(1)).toEqual([
      [2, 2, 2, 1],
      [2, 2, 1, 2],
      [1, 2, 2, 2],
      [2, 1, 2, 2],
    ]);
  });

  it('of two levels are its ten', () => {
    const [wa, wb, wc, count] = [0, 1, 2, 3].map((row) => figure6(2).map((column) => column[row]));
    expect(wa).toEqual([4, 1, 2, 4, 4, 4, 4, 2, 2, 4]);
    expect(wb).toEqual([4, 4, 4, 1, 2, 4, 4, 2, 4, 2]);
    expect(wc).toEqual([4, 4, 4, 4, 4, 1, 2, 4, 2, 2]);
    expect(count).toEqual([1, 4, 4, 4, 4, 4, 4, 8, 8, 8]);
  });

  it.each([1, 2])("of Winograd's algorithm at %i levels say how many blocks every product has", (levels) => {
    const table = composePower(winograd, levels);
    const all = variantsOf(table);
    expect(variantNumbers(table).map((number) => all[number])).toEqual(operandCounts(table));
  });
});

describe('batches', () => {
  it('of Strassen are the stages of Figure 7', () => {
    const stages = batchesOf(strassen, true).map((batch) => batch.join());
    expect(new Set(stages)).toEqual(new Set(['0', '1,4', '5,6', '2,3']));
  });

  it.each(
    algorithms.flatMap((algorithm) => [1, 2].map((levels) => [algorithm.name, levels, algorithm] as const)),
  )(
    'of %s at %i levels have every product once, one variant, and no block of C twice',
    (_, levels, algorithm) => {
      const table = composePower(algorithm, levels);
      const variants = variantNumbers(table);
      const batches = batchesOf(table, true);
      expect(batches.flat().sort((x, y) => x - y)).toEqual(table.u.map((_, r) => r));
      for (const batch of batches) {
        expect(new Set(batch.map((r) => variants[r])).size).toBe(1);
        const uses = table.w[0].map((_, at) => batch.filter((r) => table.w[r][at] !== 0).length);
        expect(Math.max(...uses)).toBeLessThanOrEqual(1);
      }
    },
  );

  it('without an order are one a variant', () => {
    expect(batchesOf(composePower(strassen, 2), false)).toHaveLength(10);
  });
});

describe('a fused plan', () => {
  it.each([
    ['fused', 0, 1],
    ['fused', 1, 7],
    ['fused', 2, 49],
    ['atomic', 1, 7],
    ['atomic', 2, 49],
    ['hybrid', 1, 7],
  ] as const)(
    '%s at %i levels has %i products, no workspace and operands as they are',
    (style, levels, count) => {
      const plan = planOf(style, levels);
      expect(products(plan)).toHaveLength(count);
      expect(plan.sizes).toEqual({ A: 128, B: 64, C: 128, W: 0 });
      expect(plan.layouts.A).toMatchObject({ kind: 'leaf', rows: 10, cols: 7, ld: 7 });
    },
  );

  it('follows the schedule above what is fused, with its two temporaries, above leaf products with one', () => {
    const [hybrid, scheduled] = [planOf('hybrid', 2), planOf('scheduled', 1)];
    expect(products(hybrid)).toHaveLength(49);
    expect([hybrid.sizes.W, scheduled.sizes.W]).toEqual([128, 64]);
    expect(products(planOf('fused', 3))).toHaveLength(343);
  });

  it('writes a block of C before it reads it, in whatever batch', () => {
    const written = new Set<string>();
    for (const { slots } of products(planOf('fused', 2, winograd))) {
      for (const { part, load } of slots) {
        const name = `${part?.row} ${part?.col}`;
        expect(load).toBe(written.has(name));
        written.add(name);
      }
    }
    expect(written.size).toBe(16);
  });

  it('cuts blocks off at the edge of their matrix', () => {
    const [first] = products(planOf('fused', 2));
    expect(first.shape).toEqual({ m: 3, k: 2, n: 3 });
    expect(first.x.map(({ window }) => window)).toEqual([
      { row: 0, col: 0, rows: 3, cols: 2 },
      { row: 3, col: 2, rows: 3, cols: 2 },
      { row: 6, col: 4, rows: 3, cols: 2 },
      { row: 9, col: 6, rows: 1, cols: 1 },
    ]);
  });

  it.each(
    inShort(
      [
        ['scheduled', 1],
        ['wide', 1],
        ['hybrid', 2],
        ['fused', 3],
      ] as const,
      2,
    ),
  )('%s at %i levels saves C before its blocks are scratch, and adds it last', (style, levels) => {
    const scaling = { alpha: 2, beta: 0.5 };
    const made = compile({ algorithm: strassen, shape, depth: { levels }, style, scaling });
    const plain = compile({ algorithm: strassen, shape, depth: { levels }, style });
    expect(made.sizes.W).toBe(plain.sizes.W + plain.sizes.C);
    expect([made.steps[0], made.steps.at(-1)].map((step) => nameStep(step as Step).lines)).toEqual([
      ['C0 = C'],
      ['C = 2*C + 1/2*C0'],
    ]);
    expect(made.steps.slice(1, -1)).toEqual(plain.steps);
  });

  it.each(['scheduled', 'fused'] as const)('%s of no terms is beta·C, and without beta zeros', (style) => {
    const of = (alpha: number, beta: number, k = 3) =>
      compile({ algorithm: strassen, shape: { m: 4, k, n: 5 }, style, scaling: { alpha, beta } }).steps.map(
        (step) => nameStep(step).lines,
      );
    expect([of(0, 2), of(1, 2, 0), of(0, 0)]).toEqual([[['C = 2*C']], [['C = 2*C']], [['C = 0']]]);
  });

  it.each([Number.NaN, Infinity])('refuses alpha = %d', (alpha) => {
    expect(() =>
      compile({ algorithm: strassen, shape, style: 'fused', scaling: { alpha, beta: 0 } }),
    ).toThrow(/alpha must be a finite number/);
  });
});
