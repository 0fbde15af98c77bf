import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { displayWidth } from '../report/terminal/text.ts';
import type { Results } from '../run/results.ts';
import { readResults } from './read-results.ts';
import { precisionTable, tableReport } from './terminal.ts';

const result = (precision: string, verdict: CaseResult['verdict'], equalsModel?: boolean) =>
  ({ precision, verdict, equalsModel }) as CaseResult;

it('has a row for each precision, with the results that equal the model of those compared', () => {
  const cases = [
    result('nvfp4', 'pass', true),
    result('int8-i32', 'fail', false),
    result('nvfp4', 'inconclusive'),
    result('int8-i32', 'pass', true),
  ];
  expect(
    precisionTable(cases).rows.map((row) =>
      row.map((cell) => (typeof cell === 'object' ? cell?.value : cell)),
    ),
  ).toEqual([
    ['nvfp4', 2, 1, 0, 1, '1/1'],
    ['int8-i32', 2, 1, 1, 0, '1/2'],
  ]);
  expect(precisionTable(cases.slice(0, 1)).rows).toEqual([]);
});

const example = readResults(
  readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const plain = { colors: picocolors.createColors(false), width: 88 };
const lines = (results: Results, look = plain) => tableReport(results, look).trimEnd().split('\n');
const failure = example.cases.find(({ verdict }) => verdict === 'fail') as CaseResult;
const unsettled = example.cases.find(({ verdict }) => verdict === 'inconclusive') as CaseResult;

it('has a row for each kernel and number of levels, with the worst of its cases', () => {
  expect(lines(example).slice(3, 10)).toEqual([
    'By kernel',
    'kernel              levels  cases  pass  fail  incon.  sigmas  of bound  bits  model',
    'classical:naive          0      4     4     0       0     1.3     1.3 %  23.6    4/4',
    'classical:register       0      4     4     0       0     1.3     1.3 %  23.6    4/4',
    'strassen:register        1      4     4     0       0       2     2.0 %    23    4/4',
    'strassen:register        2      4     2     2       0    71.3   184.0 %  5.21    2/4',
    'winograd:tiled           1      4     2     0       2     1.8     1.8 %  23.1    2/2',
  ]);
});

it('tells large sigmas as the overview does', () => {
  const [one] = example.cases.filter(({ checks }) => checks.some(({ name }) => name === 'sigma'));
  const checks = one.checks.map((check) => (check.name === 'sigma' ? { ...check, found: 2.74e7 } : check));
  expect(lines({ ...example, cases: [{ ...one, checks }] })).toContainEqual(expect.stringMatching(/ 10⁷ /));
});

it('shows no bits of fast algorithms where entries differ in size', () => {
  const [fast] = example.cases.filter(
    ({ kernel, input }) => kernel === 'strassen:register' && input === 'uniform',
  );
  const row = (input: string) =>
    lines({ ...example, cases: [{ ...fast, input }] }).find((line) => line.startsWith('strassen:register'));
  expect(row('uniform')).toMatch(/ \d\S* +\d\/\d$/);
  expect(row('scaled-rows')).toMatch(/ – +\d\/\d$/);
});

it('shows slopes with their intervals, and why there is none', () => {
  const text = lines(example);
  expect(text.join('\n')).toMatch(
    /^strassen:register +uniform +size, at 1 level +1\.03 \(0\.87 to 1\.11\) +0\.93 \(0\.87 to 1\.11\)$/m,
  );
  expect(text.join('\n')).toMatch(/^winograd:tiled +uniform +size, at 1 level +no fit +–$/m);
  expect(text).toContain('No fit (1): there are fewer than three sizes');
});

it('shows a failing case with what was found and allowed, where, and how to repeat it', () => {
  const text = tableReport(example, plain);
  expect(text).toContain(`
FAIL ${failure.case}
  check          found  allowed
  exact             33        0
  running-bound   1.84        1
  33 entries are wrong where all must be exact; they lie in the last column.
  The error is 1.84 times the largest the algorithm can make.
  worst entry (17, 32) in C22/C12: found 0.8412, expected 1.2512, error 0.41
  replay: ${failure.replay}
`);
});

it('sums up inconclusive cases by reason', () => {
  const text = tableReport(example, plain);
  expect(text).toMatch(/^ +2 +winograd:tiled needs 4294967296 bytes/m);
  expect(text).toContain(`  replay one: ${unsettled.replay}\n`);
});

it.each([
  ['pass', 'exit code 0: no check failed'],
  ['fail', 'exit code 1: a check failed'],
  ['inconclusive', 'exit code 4: not enough evidence for a pass or a fail'],
] as const)('ends with the verdict %s in one sentence', (verdict, meaning) => {
  const last = lines({ ...example, verdict, reason: 'Because of this.' }).at(-1);
  expect(last).toBe(`${verdict.toUpperCase()}: Because of this (${meaning}).`);
});

it('shows a run of nothing and an interrupted one for what they are', () => {
  const summary = {
    ...example.summary,
    run: 0,
    pass: 0,
    fail: 0,
    inconclusive: 0,
    comparedWithModel: 0,
    interrupted: true,
  };
  const empty: Results = {
    ...example,
    cases: [],
    growth: [],
    verdict: 'inconclusive',
    reason: 'Nothing ran.',
    summary,
  };
  const text = lines(empty);
  expect(text).toContain('No case ran.');
  expect(text.at(-2)).toBe(
    '0 of 20 planned cases in 1.4 s, seed 1: 0 pass, 0 fail, 0 inconclusive; none compared with the bit-exact model; interrupted.',
  );
});

it('shows the first failures only and says how many are left', () => {
  const text = tableReport({ ...example, cases: new Array(25).fill(failure) }, plain);
  expect(text.match(/^FAIL kernel/gm)).toHaveLength(20);
  expect(text).toContain('… and 5 more failures; the results file has them all.');
});

it('keeps tables and prose within the width', () => {
  const wide = new Set([...example.cases].flatMap((result) => [result.case, result.replay]));
  const long = lines(example, { ...plain, width: 80 }).filter(
    (line) => displayWidth(line) > 80 && ![...wide].some((handle) => line.includes(handle)),
  );
  // The tally and the verdict take one line each.
  expect(long.length).toBeLessThanOrEqual(2);
  expect(long.every((line) => /^(20 cases|FAIL: )/.test(line))).toBe(true);
});

it('colours only when asked to', () => {
  const colored = tableReport(example, { ...plain, colors: picocolors.createColors(true) });
  expect(tableReport(example, plain)).not.toContain('\x1b');
  expect(colored).toContain('\x1b[31m');
  expect(stripVTControlCharacters(colored)).toBe(tableReport(example, plain));
});
