import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inconsistencies, unlikeRuns } from './node/write-html.ts';
import { readResults } from './read-results.ts';

const example = readResults(
  readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);

it('finds a summary that its cases contradict', () => {
  expect(inconsistencies(example)).toEqual([]);
  const { pass } = example.summary;
  expect(inconsistencies({ ...example, cases: [] })[0]).toContain(`${pass} pass, and its cases are 0`);
});

it('warns of runs of two kinds', () => {
  expect(unlikeRuns(example, example)).toEqual([]);
  const study = { name: 'strassen-2011', source: '', method: '', cells: [], counts: [] };
  expect(unlikeRuns(example, { ...example, study })[0]).toContain('with one of the study strassen-2011: few');
});
