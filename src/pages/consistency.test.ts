import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Results } from '../run/results.ts';
import { listRunDifferences } from './node/write-html.ts';
import { readResults } from './read-results.ts';

const text = readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8');
const whole = readResults(text, 'the example');
const passing = whole.cases.filter(({ verdict }) => verdict === 'pass');
const count = passing.length;
const summary = { ...whole.summary, planned: count, run: count, pass: count, fail: 0, inconclusive: 0 };
const { groups: _, ...about } = whole;
const example: Results = { ...about, summary, verdict: 'pass', cases: passing };
const [first, ...others] = passing;
const read = (change: Partial<Results>) => () => readResults(JSON.stringify({ ...example, ...change }), 'it');

it.each<[string, Partial<Results>, string]>([
  ['a summary without its cases', { cases: [] }, `${summary.pass} pass, and its cases are 0`],
  [
    'a count of failures that no case has',
    { summary: { ...summary, pass: summary.pass - 1, fail: 1 } },
    '1 fail, and its cases are 0',
  ],
  ['a case twice as planned', { summary: { ...summary, planned: summary.run - 1 } }, 'planned'],
  [
    'a pass of a failing check',
    {
      cases: [
        { ...first, checks: [...first.checks, { name: 'bound', status: 'fail', message: '' }] },
        ...others,
      ],
    },
    'passes, though its check bound fails',
  ],
  [
    'a pass of no case',
    { cases: [], summary: { ...summary, run: 0, pass: 0, comparedWithModel: 0, equalToModel: 0 } },
    'its verdict is pass, though no case passes',
  ],
  [
    'a pass of a failure',
    {
      cases: [{ ...first, verdict: 'fail' }, ...others],
      summary: { ...summary, pass: summary.pass - 1, fail: 1 },
    },
    'its verdict is pass, though a case fails that no waiver covers',
  ],
])('no reader believes %s', (_, change, why) => {
  expect(read({})().summary).toEqual(summary);
  expect(read(change)).toThrow(why);
});

it('warns of runs of two kinds', () => {
  expect(listRunDifferences(example, example)).toEqual([]);
  const study = { name: 'strassen-2011', source: '', method: '', cells: [], counts: [] };
  expect(listRunDifferences(example, { ...example, study })[0]).toContain(
    'with a run of the study strassen-2011: they share few',
  );
});
