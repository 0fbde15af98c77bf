import { describe, expect, test } from 'vitest';
import { inShort, isWhole, itWhole } from '../../base/in-short.testing.ts';
import { createRandom } from '../../base/random.ts';
import type { CheckResult } from '../../evidence/case-result.ts';
import { type Case, caseOf, changeCase, flattenCase, formatCase, parseCase } from '../../problem/case.ts';
import { type FlatCase, plainStorage } from '../../problem/problem.ts';
import { type GroupableResult, groupFailures } from './group-failures.ts';

const INPUTS = ['uniform', 'integers', 'special-values', 'zeros', 'wide-exponents'];

/** Returns cases like those of a gate: small and long sizes, some beyond A·B. */
function casesOf(count: number, kernel = 'mine', stream = 1): Case[] {
  const random = createRandom(7, stream);
  const size = () => Math.floor(2 ** random.uniform(0, 8));
  const one = <T>(...from: readonly T[]): T => from[random.int(0, from.length - 1)];
  return Array.from({ length: count }, (_, seed) => {
    const isPlain = random.int(0, 1) === 0;
    const storage = () =>
      isPlain
        ? plainStorage
        : { ...plainStorage, op: one<'n' | 't'>('n', 't'), pad: one(0, 0, 3), offset: one(0, 20) };
    return caseOf({
      ...{ kernel, m: size(), k: random.int(0, 9) === 0 ? 16 * size() : size(), n: size(), seed: seed + 1 },
      ...{ input: one(...INPUTS), a: storage(), b: storage() },
      ...(isPlain ? {} : { alpha: one(1, 1, -2), beta: one(0, 1, 0.5), batch: one(1, 1, 3) }),
    });
  });
}

const failed: CheckResult = { name: 'exact', status: 'fail', message: '' };
const passed: CheckResult = { name: 'exact', status: 'pass', message: '' };
const judge =
  (fails: (all: FlatCase) => boolean, more: Partial<CheckResult> = {}) =>
  (value: Case): GroupableResult => {
    const { kernel, m, k, n } = flattenCase(value);
    const isFailing = fails(flattenCase(value));
    const checks = [isFailing ? { ...failed, ...more } : passed];
    return { case: formatCase(value), kernel, m, k, n, verdict: isFailing ? 'fail' : 'pass', checks };
  };
const said = (cases: readonly GroupableResult[]) => groupFailures(cases).map(({ says }) => says);

describe('the rule of a failure is found', () => {
  test.each(
    inShort<readonly [rule: string, fails: (all: FlatCase) => boolean]>(
      [
        ['k ≡ 1 mod 4', ({ k }) => k % 4 === 1],
        ['k ≡ 1 mod 16', ({ k }) => k % 16 === 1],
        ['m no multiple of 8', ({ m }) => m % 8 !== 0],
        ['odd n', ({ n }) => n % 2 === 1],
        ['k > 512', ({ k }) => k > 512],
        ['m = 1', ({ m }) => m === 1],
        ['beta ≠ 0', ({ beta }) => beta !== 0],
        ['A transposed', ({ a }) => a.op === 't'],
        ['a padded leading dimension of B', ({ b }) => b.pad > 0],
        ['several products in a batch', ({ batch }) => batch > 1],
        ['input special-values', ({ input }) => input === 'special-values'],
        ['m > n', ({ m, n }) => m > n],
        ['m·n > 4096', ({ m, n }) => m * n > 4096],
        ['k mod 8 > 4', ({ k }) => k % 8 > 4],
        ['beta ≠ 0 and k no multiple of 4', ({ k, beta }) => beta !== 0 && k % 4 !== 0],
        ['A transposed and alpha ≠ 1', ({ a, alpha }) => a.op === 't' && alpha !== 1],
      ],
      7,
    ),
  )('%s', (rule, fails) => {
    const [group, ...more] = groupFailures(casesOf(400).map(judge(fails)));
    expect(more).toEqual([]);
    expect(group).toMatchObject({ passing: 0, apart: 0, rule: rule.split(' and ') });
    expect(group.says).toBe(
      `${group.failing} of 400 cases failed, exactly those with ${group.rule?.join(' and ')}`,
    );
  });
});

test('exceptions are counted, not explained', () => {
  const cases = casesOf(400).map(judge(({ k }) => k % 4 === 1));
  const spared = cases.filter(({ verdict }) => verdict === 'fail').slice(0, 2);
  const some = cases.map((one) => (spared.includes(one) ? { ...one, verdict: 'pass' as const } : one));
  const [group] = groupFailures(some);
  expect(group).toMatchObject({ passing: 2, apart: 0, rule: ['k ≡ 1 mod 4'] });
  expect(group.says).toMatch(/^\d+ of 400 cases failed, all with k ≡ 1 mod 4; \d+ other such cases? passed$/);
});

test('of two mistakes each has its rule', () => {
  const cases = casesOf(400).map(judge(({ k, beta }) => beta === 0.5 || k % 16 === 1));
  expect(said(cases)).toEqual([
    expect.stringMatching(/^all \d+ cases with beta = 0\.5 failed$/),
    expect.stringMatching(/^all \d+ remaining cases with k ≡ 1 mod 16 failed$/),
  ]);
});

test('what fails by chance has no rule', () => {
  for (let stream = 0; stream < (isWhole ? 8 : 1); stream++) {
    const random = createRandom(3, stream);
    const cases = casesOf(200, 'mine', stream).map(judge(() => random.int(0, 11) === 0));
    expect(said(cases)).toEqual([expect.stringMatching(/^\d+ of 200 cases failed$/)]);
  }
});

test('all, one and none', () => {
  const cases = casesOf(20);
  expect(said(cases.map(judge(() => true)))).toEqual(['all 20 cases failed']);
  expect(said(cases.map(judge(({ seed }) => seed === 3)))).toEqual(['1 of 20 cases failed']);
  expect(said(cases.map(judge(() => false)))).toEqual([]);
  expect(said(cases.slice(0, 1).map(judge(() => true)))).toEqual(['1 case failed']);
});

test('kernels that fail alike share a group, with the smallest case of all and what most look like', () => {
  const looksLike = { cause: 'last-terms-lost', says: 'the last term of k is missing' };
  const fails = judge(({ k }) => k % 4 === 1, { looksLike });
  const cases = [...casesOf(200, 'one').map(fails), ...casesOf(200, 'two', 2).map(fails)];
  const groups = groupFailures([...cases, ...casesOf(200, 'three').map(judge(() => false))]);
  expect(groups).toHaveLength(1);
  const [{ kernels, failing, judged, example, looksLike: most, cases: places, checks }] = groups;
  expect({ kernels, judged, most }).toEqual({
    kernels: ['one', 'two'],
    judged: 400,
    most: { ...looksLike, count: failing },
  });
  expect(checks).toEqual({ exact: failing });
  expect(places.every((at) => cases[at].verdict === 'fail')).toBe(true);
  const work = ({ m, k, n }: GroupableResult) => m * k + k * n + m * n;
  const least = Math.min(...places.map((at) => work(cases[at])));
  expect(work(cases.find((one) => one.case === example) as GroupableResult)).toBe(least);
});

test('waived and inconclusive cases count for nothing', () => {
  const waiver = { reason: 'known', expires: '2030-01-01' };
  const cases = casesOf(100).map(judge(({ k }) => k % 4 === 1));
  expect(groupFailures(cases.map((one) => ({ ...one, waiver })))).toEqual([]);
  const undecided = cases.map((one) =>
    one.verdict === 'pass' ? { ...one, verdict: 'inconclusive' as const } : one,
  );
  expect(said(undecided)).toEqual([expect.stringMatching(/^all \d+ cases failed$/)]);
});

test.runIf(isWhole)('twelve thousand cases have one rule', () => {
  const cases = casesOf(12_000).map(judge(({ k, n }) => k % 2 === 1 || n > 60));
  const failing = cases.filter(({ verdict }) => verdict === 'fail').length;
  const groups = groupFailures(cases);
  expect(groups.reduce((sum, group) => sum + group.failing, 0)).toBe(failing);
});

test.each(['program', 'sweep'] as const)(
  'cases with a %s that fail are a group of their own, for their shapes say nothing',
  (key) => {
    const all = casesOf(60).map((value, at) => (at % 6 === 0 ? changeCase(value, { [key]: 90 }) : value));
    const programs = all.filter(({ problem }) => problem[key] > 0);
    const [alone, other] = [
      ({ k }: FlatCase) => k > 40,
      ({ [key]: count, seed }: FlatCase) => count > 0 && seed < 50,
    ];
    const failing = programs.filter((value) => other(flattenCase(value))).length;
    expect(said(all.map(judge((one) => (one[key] === 0 ? alone(one) : other(one)))))).toEqual([
      expect.stringMatching(/^all \d+ cases with k > \d+ failed$/),
      `${failing} of 10 remaining cases with a call sequence failed`,
    ]);
    expect(said(all.map(judge(({ [key]: count }) => count > 0)))).toEqual([
      '10 of 60 cases failed, exactly those with a call sequence',
    ]);
  },
);

itWhole('however many pass, each that is learnt from is there', () => {
  const all = casesOf(1200);
  const isFailing = ({ k }: FlatCase) => k % 4 === 1;
  const [passing, failing] = [false, true].map((fails) =>
    all.filter((one) => isFailing(flattenCase(one)) === fails),
  );
  // Lists a little longer than the learned sample: steps of fractions may round past their end.
  for (let more = 0; more < 60; more += isWhole ? 3 : 21) {
    const cases = [
      ...Array.from({ length: 1001 + more }, (_, at) => passing[at % passing.length]),
      ...failing,
    ];
    expect(groupFailures(cases.map(judge(isFailing)))).toHaveLength(1);
  }
});

test('a mistake is named where most of a group look like it, and not where fewer do', () => {
  const looksLike = { cause: 'zero', says: 'the result is 0' };
  const one = judge(() => true);
  const like = judge(() => true, { looksLike });
  const cases = casesOf(10);
  const named = (count: number) => {
    const [group] = groupFailures(cases.map((value, at) => (at < count ? like : one)(value)));
    return group.looksLike?.count;
  };
  expect([named(10), named(6), named(5), named(1)]).toEqual([10, 6, undefined, undefined]);
});

test('the likely mistake is that of the smallest case that looks like it, and says if others have other numbers', () => {
  const says = (k: number) => `the last ${k} terms of k are missing`;
  const cases = casesOf(10).map((value) =>
    judge(() => true, { looksLike: { cause: 'last-terms-lost', says: says(value.problem.k) } })(value),
  );
  const [{ looksLike, example }] = groupFailures(cases);
  expect(looksLike?.says).toBe(`${says(parseCase(example).problem.k)}, or a related mistake`);
  expect(new Set(cases.map(({ k }) => k)).size).toBeGreaterThan(1);
});

test.each(['repeats=1000', 'program=9'])(
  'no case of %s is the example where a plain one fails, too',
  (rest) => {
    const plain = parseCase('kernel=mine;m=9;k=9;n=9');
    const other = parseCase(`kernel=mine;m=1;k=1;n=1;${rest}`);
    const fails = judge(() => true);
    expect(groupFailures([fails(other), fails(plain)])[0].example).toBe(formatCase(plain));
    expect(groupFailures([fails(other)])[0].example).toBe(formatCase(other));
  },
);
