import { expect, it } from 'vitest';
import { sharedGrowth } from '../algorithms/growth.ts';
import { itWhole } from '../base/in-short.testing.ts';
import { createRandom } from '../base/random.ts';
import { inputOf } from '../inputs/edits/edited-family.ts';
import { everything } from '../matrix/features.ts';
import { batchLengthOf, extentsOf } from '../matrix/gemm.ts';
import { singlePrecision } from '../precision/single.ts';
import { type BatchedShape, OPS, shapesOfOnes } from '../problem/boundary-shapes.ts';
import { formatCase } from '../problem/case.ts';
import { toGemm } from '../problem/gemm-of.ts';
import { plainStorage } from '../problem/problem.ts';
import { shapesOfGrams, shapesOfNothing } from '../problem/special-shapes.ts';
import { thinShapes, wildSizes } from '../problem/wild-sizes.ts';
import { defaultCampaign } from './campaign.ts';
import { externalCases } from './external-campaign.ts';
import { isWholeGemm } from './gemm-sample.ts';
import { richVariations, withOps } from './rich-sample.ts';
import { drawCases, drawSizes } from './sampler.ts';
import { mergeEvenly, wildVariations } from './wild-sample.ts';

const limits = { precision: singlePrecision, growth: sharedGrowth() };

itWhole('meets each family and edit both plain and varied, where each shape meets one of them', () => {
  const sizes = Array.from({ length: 200 }, (_, at) => ({ m: 20 + (at % 7), k: 30, n: 40 }));
  const who = () => ({ kernel: 'mine', limits, refuses: () => undefined });
  const cases = drawCases(sizes, who, { seed: 1, features: everything, inputs: () => true, few: true });
  const of = (test: boolean) =>
    new Set(
      cases
        .filter((one) => isWholeGemm(one) === test)
        .map(({ problem }) => `${problem.input} ${problem.edit}`),
    );
  // Entries near the largest number leave no room for factors.
  const plain = [...of(false)].filter((text) => !text.endsWith('near-largest')).sort();
  expect(plain.length).toBeGreaterThan(20);
  expect([...of(true)].sort()).toEqual(plain);
});

const OF_ONES = [1, 2, 3, 4, 5, 6, 7];
const onesOf = ({ m, k, n }: { m: number; k: number; n: number }) =>
  Number(m === 1) + 2 * Number(k === 1) + 4 * Number(n === 1);

it('draws each round anew, the first as where there is but one', () => {
  const extent = { products: 64, entries: 64 };
  const roundsOf = (rounds: number) =>
    drawSizes({ seed: 1, rounds, extent, largest: 0, sizes: 0, programs: 0, sweeps: 0 }, () => true);
  const [one, two] = [roundsOf(1), roundsOf(2)];
  expect(two.slice(0, one.length)).toEqual(one);
  const second = two.slice(one.length).map((sizes) => JSON.stringify(sizes));
  expect(second.length).toBeGreaterThan(0);
  expect(new Set(one.map((sizes) => JSON.stringify(sizes)))).not.toEqual(new Set(second));
});

it('meets every op(A) and op(B) where some sizes are 1, whichever these are', () => {
  const shapes = shapesOfOnes(createRandom(1, 1));
  const who = () => ({ kernel: 'mine', limits, refuses: () => undefined });
  const rich = (all: readonly BatchedShape[]) =>
    richVariations(everything, all, createRandom(1, 2)).map(withOps);
  const drawing = { seed: 1, features: everything, inputs: () => true, few: true, variations: rich };
  const met = drawCases(shapes, who, drawing).map(({ problem }) =>
    [onesOf(problem), problem.a.op, problem.b.op].join(),
  );
  expect(new Set(met)).toEqual(
    new Set(OF_ONES.flatMap((ones) => OPS.map(([ofA, ofB]) => [ones, ofA, ofB].join()))),
  );
  expect(shapes.every(({ m, k, n }) => Math.max(m, k, n) <= 64)).toBe(true);
});

it('meets every op(A) and op(B) in each part of what is long, of exact and of random entries', () => {
  const shapes = thinShapes(createRandom(1, 8), OPS.length);
  const rich = (all: readonly BatchedShape[]) =>
    richVariations(everything, all, createRandom(1, 2)).map(withOps);
  const drawing = { seed: 1, features: everything, inputs: () => true, few: true, variations: rich };
  const who = () => ({ kernel: 'mine', limits, refuses: () => undefined });
  const longOf = ({ m, k, n }: { m: number; k: number; n: number }) => {
    const at = [m, k, n].findIndex((size) => size > 128);
    return [at, Math.floor((12 * Math.log([m, k, n][at] / 129)) / Math.log(4096 / 129))];
  };
  const met = drawCases(shapes, who, drawing).map(({ problem }) => ({
    where: [...longOf(problem), problem.a.op, problem.b.op].join(),
    exact: [longOf(problem)[0], problem.a.op, problem.b.op, inputOf(problem).exactness === 'none'].join(),
  }));
  expect(new Set(met.map(({ where }) => where)).size).toBeGreaterThan(3 * 12 * OPS.length - 12);
  expect(new Set(met.map(({ exact }) => exact)).size).toBe(3 * OPS.length * 2);
  expect(shapes.every(({ m, k, n }) => m * k * n <= 4096 * 40 * 40)).toBe(true);
});

it('asks without a design for much at once, so that three and four things meet', () => {
  const shapes = wildSizes(createRandom(1, 3), true);
  const made = wildVariations(everything, shapes, createRandom(1, 4)).map((variation, at) => ({
    ...{ alpha: 1, beta: 0, a: plainStorage, b: plainStorage },
    ...shapes[at],
    ...variation,
  }));
  const count = (holds: (one: (typeof made)[number]) => boolean) => made.filter(holds).length;
  const isBatch = ({ batch = 1 }: { batch?: number | undefined }) => batch > 1;
  expect(count(({ m, n }) => m === n)).toBeGreaterThan(made.length / 8);
  expect(count((one) => isBatch(one) && one.beta !== 0 && one.b.op === 't')).toBeGreaterThan(20);
  expect(count((one) => isBatch(one) && one.m === 1 && one.beta !== 0)).toBeGreaterThan(4);
  expect(count((one) => isBatch(one) && one.b.gap === 'same' && one.beta !== 0)).toBeGreaterThan(8);
  expect(count(({ batch = 1 }) => batch > 300)).toBeGreaterThan(4);
  expect(
    wildVariations({}, shapes, createRandom(1, 4)).every(
      ({ alpha = 1, beta = 0 }) => alpha === 1 && beta === 0,
    ),
  ).toBe(true);
});

itWhole(
  'draws a third of what is drawn without a design, all the way through, each product any number of times',
  () => {
    const spec = { name: 'mine', multiply: () => new Float32Array(), accepts: 'everything' } as const;
    const draws = {
      seed: 1,
      rounds: 1,
      extent: { products: 2 ** 12, entries: 2 ** 12 },
      largest: 1,
      sizes: 128,
      programs: 0,
      sweeps: 0,
    };
    const cases = externalCases({ ...defaultCampaign, draws }, spec).filter(({ drawn }) => drawn === true);
    const wild = cases.filter(({ problem }) => problem.input.startsWith('wild'));
    expect(wild.length).toBeGreaterThan(cases.length / 3);
    const tenth = cases.slice(0, cases.length / 10);
    const inTenth = tenth.filter(({ problem }) => problem.input.startsWith('wild')).length;
    expect(inTenth / tenth.length).toBeCloseTo(wild.length / cases.length, 1);
    expect(new Set(wild.map(({ problem }) => problem.repeats)).size).toBe(8);
    expect(wild.filter(({ problem }) => problem.input === 'wild').length).toBeGreaterThan(wild.length / 3);
    // Matrices shared by a batch have only whole numbers.
    const shared = wild.filter(
      ({ problem: { a, b, batch } }) => batch > 1 && (a.gap === 'same' || b.gap === 'same'),
    );
    expect(new Set(shared.map(({ problem }) => problem.input))).toEqual(new Set(['wild-integers']));
  },
);

it('asks for one shape after the other as programs do', () => {
  const all = wildSizes(createRandom(1, 9), false).map(({ m, k, n }) => [m, k, n].join());
  const at = (test: (one: number[], next: number[]) => boolean) =>
    all.filter((text, at) => at > 0 && test(all[at - 1].split(',').map(Number), text.split(',').map(Number)))
      .length;
  expect(new Set(all).size).toBeGreaterThan(all.length / 2);
  expect(at(([m, k, n], next) => next.join() === [k, m, n].join() && m !== k)).toBeGreaterThan(5);
  expect(at(([m, k, n], next) => next[0] === m && next[1] === n && k !== n)).toBeGreaterThan(10);
  expect(at(([m, k, n], [m2, k2, n2]) => m2 < m && k2 === k && n2 === n)).toBeGreaterThan(5);
});

it('puts two lists together so that both are as far at any time', () => {
  expect(mergeEvenly([1, 2, 3, 4], [10, 20])).toEqual([1, 10, 2, 3, 20, 4]);
});

itWhole('multiplies matrices by their own transposes, both ways, small and large, long and short', () => {
  const shapes = shapesOfGrams(createRandom(1, 5));
  expect(shapes.every(({ m, n }) => m === n && m > 1)).toBe(true);
  expect(Math.max(...shapes.map(({ m }) => m))).toBeGreaterThan(663);
  expect(shapes.filter(({ m, k }) => k >= 16 * m).length).toBeGreaterThan(3);
  const spec = { name: 'mine', multiply: () => new Float32Array(), accepts: { transposed: true } };
  const draws = {
    seed: 1,
    rounds: 1,
    extent: { products: 1, entries: 1 },
    largest: 1,
    sizes: 1,
    programs: 0,
    sweeps: 0,
  };
  const cases = externalCases({ ...defaultCampaign, draws }, spec);
  const ops = cases.flatMap(({ problem: { edit, a, b, m, n } }) =>
    edit === 'gram' && m === n && a.op !== b.op ? [a.op + b.op] : [],
  );
  expect(new Set(ops)).toEqual(new Set(['nt', 'tn']));
  expect(ops.length).toBeGreaterThan(8);
});

it('asks for products of nothing in all layouts', () => {
  const shapes = shapesOfNothing(createRandom(1, 6));
  expect(shapes.every(({ m, k, n }) => m * k * n === 0)).toBe(true);
  const made = richVariations(everything, shapes, createRandom(1, 7));
  const isSeen = made.filter(
    ({ beta = 0, a }, at) => shapes[at].k === 0 && beta === 0 && a?.order === 'column',
  );
  expect(isSeen.length).toBeGreaterThan(0);
});

it('lays out millions of lines in no more than a machine has room for', () => {
  const tall = Array.from({ length: 60 }, () => [
    { m: 2 ** 21, k: 1, n: 2 },
    { m: 2, k: 1, n: 2 ** 21 },
  ])
    .flat()
    .map((sizes, at) => ({ ...sizes, m: sizes.m + (at % 3) }));
  const who = () => ({ kernel: 'mine', limits, refuses: () => undefined });
  const rich = (all: readonly BatchedShape[]) => richVariations(everything, all, createRandom(1, 2));
  const drawing = { seed: 1, features: everything, inputs: () => true, few: true, variations: rich };
  const cases = drawCases(tall, who, drawing);
  expect(cases.length).toBeGreaterThan(60);
  const pads = cases.flatMap(({ problem: { a, b, c, d } }) => [a, b, c, d ?? c].map(({ pad }) => pad));
  expect(Math.max(...pads)).toBeGreaterThan(1);
  for (const value of cases) {
    const gemm = toGemm(value.problem);
    const stored = (['a', 'b', 'c', 'd'] as const).map((name) =>
      batchLengthOf(gemm[name], extentsOf(gemm)[name], gemm.batch),
    );
    expect(Math.max(...stored), formatCase(value)).toBeLessThan(2 ** 26);
  }
});
