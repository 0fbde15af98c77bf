import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCase } from '../../src/problem/case.ts';
import { learnedOrder } from '../../src/run/order/learned-order.ts';
import type { PlannedCase } from '../../src/run/planned-case.ts';
import { askGroup } from './ask.ts';
import { deathsOf, killedBy } from './curves.ts';
import { groupSpecimens, type SpecimenGroup, splitCorpora } from './groups.ts';
import { learnOrder, withPairs } from './learn.ts';
import { joinAnswers, type MatrixGroup, readMatrix, writeMatrix } from './matrix.ts';
import { learnedModule } from './order.ts';
import { findRedundant } from './redundant.ts';
import { listSpecimens, loadSpecimens, type Specimen } from './specimens.ts';

const mutants = { seeds: [1], each: 2 };
const specimen = (name: string, fault = 'edges'): Specimen => ({
  ...{ name, corpus: 'mutants', fault, hasState: false },
  source: { file: '', name },
});
const cases = (texts: readonly string[]): PlannedCase[] =>
  texts.map((text) => ({ ...parseCase(`kernel=specimen;m=4;n=4;${text}`), series: false }));

test('the corpora are listed, loaded, and split evenly class by class', async () => {
  const all = await listSpecimens(
    ['history', 'mutants', 'cheats', 'whole', 'recursions', 'formats'],
    mutants,
  );
  const kernels = await loadSpecimens(all);
  expect(all.length).toBeGreaterThan(800);
  expect(kernels.every(({ multiply }) => typeof multiply === 'function')).toBe(true);
  const halves = splitCorpora(all);
  const classes = new Set(all.map(({ corpus, fault }) => `${corpus} ${fault}`));
  for (const own of classes) {
    const members = all.filter(({ corpus, fault }) => `${corpus} ${fault}` === own);
    const learned = members.filter((one) => halves.get(one) === 'learned').length;
    expect(learned - (members.length - learned)).toBeOneOf([0, 1]);
  }
  const groups = groupSpecimens(
    all.map((one, at) => ({ specimen: one, kernel: kernels[at] })),
    5,
  );
  const grouped = new Set(groups.flatMap(({ specimens }) => specimens));
  // A claim of the other one is a function, which no other process would plan by.
  expect(all.filter((one) => !grouped.has(one))).toHaveLength(1);
  expect(new Set(groups.map(({ half, seed }) => `${half} ${seed}`))).toEqual(
    new Set(['learned 5', 'measured 6']),
  );
});

test('a kernel with state is a new one each time', async () => {
  const all = (await listSpecimens(['history'], mutants)).filter(({ hasState }) => hasState).slice(0, 3);
  const [first, second, fresh] = [
    await loadSpecimens(all),
    await loadSpecimens(all),
    await loadSpecimens(all, true),
  ];
  expect(first.map((kernel, at) => kernel === second[at])).toEqual([true, true, true]);
  expect(first.map((kernel, at) => kernel === fresh[at])).toEqual([false, false, false]);
});

test('cases kill kernels, and a correct one survives', async () => {
  const source = { file: new URL('../../fixtures/gemm-kernels/first.js', import.meta.url).href };
  const wrong = {
    ...specimen('whole'),
    corpus: 'whole',
    source: { ...source, name: 'beta-zero-multiplies-c' },
  } as const;
  const group: SpecimenGroup = {
    ...{ half: 'learned', seed: 1, spec: { name: 'specimen', accepts: 'everything' } },
    specimens: [wrong],
  };
  const { cases: asked, kills, costs } = await askGroup(group, 7, 400);
  expect(kills[0].length).toBeGreaterThan(0);
  expect(costs).toHaveLength(asked.length);
  expect(costs.every(({ calls, products }) => calls > 0 && products >= 0)).toBe(true);
});

const group: MatrixGroup = joinAnswers(
  {
    ...{ half: 'measured', seed: 2, spec: { name: 'specimen' } },
    specimens: [specimen('x'), specimen('y'), specimen('z')],
  },
  { hash: 'abc', cases: 4 },
  [
    {
      ...{ cases: [0, 2], kills: [[0, 1], [1], []] },
      costs: [
        { shared: 1, own: 1, calls: 1, products: 100 },
        { shared: 2, own: 2, calls: 2, products: 2 ** 20 },
      ],
      times: [
        [1, 2000],
        [1, 2000],
        [1, 2000],
      ],
    },
    {
      ...{ cases: [1, 3], kills: [[], [], []] },
      costs: [
        { shared: 1, own: 1, calls: 1, products: 0 },
        { shared: 4, own: 4, calls: 1, products: 0 },
      ],
      times: [
        [0, 0],
        [0, 0],
        [0, 0],
      ],
    },
  ],
);
const planned = { group, cases: cases(['k=3', 'k=4', 'k=300', 'k=5']) };

test('a matrix joins the parts of a group, and a file keeps it to a tenth', async () => {
  expect(group.kernels.map(({ kills }) => [...kills])).toEqual([[0, 2], [2], []]);
  expect(group.costs.judge).toEqual([0.002, 0.002, 0.004, 0.008]);
  expect(group.kernels[0].product).toBeCloseTo(2 / 2 ** 20, 8);
  const folder = await mkdtemp(join(tmpdir(), 'kills-'));
  const matrix = { version: '1', createdAt: '2026-01-01', command: 'kills', seed: 1, groups: [group] };
  writeMatrix(join(folder, 'kills.json.gz'), matrix);
  const read = readMatrix(join(folder, 'kills.json.gz'));
  await rm(folder, { recursive: true });
  expect(read.groups[0].kernels).toEqual(group.kernels);
  for (const key of ['judge', 'calls', 'products'] as const) {
    for (const [at, x] of group.costs[key].entries()) {
      expect(Math.abs(read.groups[0].costs[key][at] - x)).toBeLessThanOrEqual(0.1 * x);
    }
  }
});

test('an order is learned from kills, and kills earlier', () => {
  const texts = Array.from(
    { length: 60 },
    (_, at) => `k=${at % 6 === 5 ? 300 : 3};seed=${at};repeats=${1 + (at % 2)}`,
  );
  const kills = new Set([...texts.keys()].filter((at) => at % 6 === 5));
  const costs = { judge: texts.map(() => 0.01), calls: texts.map(() => 1), products: texts.map(() => 48) };
  const kernels = ['p', 'q'].map((name) => ({ ...specimen(name), kills, call: 0.001, product: 1e-9 }));
  const own = { group: { ...group, costs, kernels }, cases: cases(texts) };
  const learned = learnOrder([own]);
  const known = [...learned.facets].map(([facet, shares]) => ({ facet, share: shares[0] }));
  const [first, second] = known.sort((x, y) => y.share - x.share);
  expect([first.facet, second.share]).toEqual(['k257', 0]);
  expect(learned.facets.get('sweep')?.[2]).toBeCloseTo(first.share / Math.SQRT2, 3);
  const deaths = deathsOf([own], learned, { seed: 1 });
  expect(deaths.map(({ costs }) => [costs?.gate.cases, costs?.earlier.cases])).toEqual([
    [1, 6],
    [1, 6],
  ]);
  expect(killedBy(deaths, 'earlier', 5, 'cases')).toBe(0);
  expect(killedBy(deaths, 'gate', 1, 'cases')).toBe(100);
});

test('facets are joined to pairs in their order', () => {
  expect(withPairs(['x', 'y', 'z'])).toEqual(['any', 'x', 'y', 'z', 'x&y', 'x&z', 'y&z']);
});

test('the learned order of this package is a file that `order` writes', async () => {
  const text = await readFile(new URL('../../src/run/order/learned-order.ts', import.meta.url), 'utf8');
  const source = /Learned from .+?\d{4}-\d\d-\d\d\./.exec(text)?.[0] as string;
  expect(learnedModule(learnedOrder, source)).toBe(text);
});

test('a case is redundant if it kills nothing, or a cheaper one kills the same', () => {
  const kernels = Array.from({ length: 20 }, (_, at) => ({
    ...{ ...specimen(`${at}`), call: 0.001, product: 0 },
    kills: new Set(at === 0 ? [0, 2] : [2, 3]),
  }));
  const [{ redundant, cover }] = findRedundant([{ group: { ...group, kernels }, cases: planned.cases }]);
  expect(
    redundant.map(({ case: text, by }) => [/k=\d+/.exec(text)?.[0], by && /k=\d+/.exec(by)?.[0]]),
  ).toEqual([
    ['k=4', undefined],
    ['k=5', 'k=300'],
  ]);
  expect(cover).toBe(1);
});
