import { readFileSync } from 'node:fs';
import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import type { FailureGroup } from '../run/groups/group.ts';
import { headlineOf, listFailureGroups } from './failure.ts';
import { htmlReport } from './html/page.ts';
import { markdownReport } from './markdown.ts';
import { junitReport } from './node/junit.ts';
import { readResults } from './read-results.ts';
import { screenReport } from './screen.ts';
import { tableReport } from './terminal.ts';

const example = readResults(
  readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8'),
);
const failing = example.cases.flatMap(({ verdict }, at) => (verdict === 'fail' ? [at] : []));
const group: FailureGroup = {
  kernels: ['strassen:register'],
  says: '2 of 20 cases failed, exactly those with k ≡ 1 mod 16',
  ...{ rule: ['k ≡ 1 mod 16'], later: false, failing: 2, judged: 20, passing: 0, apart: 0 },
  checks: { exact: 2 },
  looksLike: { cause: 'last-terms-lost', says: 'the last term of k is missing', count: 1 },
  example: example.cases[failing[1]].case,
  smallerExample: { case: 'm=1', replay: 'gate --case m=1', reason: 'Wrong.' },
  cases: failing,
};
const results = { ...example, groups: [group] };
const headline =
  'strassen:register: 2 of 20 cases failed, exactly those with k ≡ 1 mod 16. Likely mistake in 1 failure: the last term of k is missing.';
const times = (text: string) => text.replace(/\s+/g, ' ').split(headline).length - 1;

test('a group says of which kernels it is, what fails and what it looks like', () => {
  expect(headlineOf(group)).toBe(headline);
  const many = { ...group, kernels: ['a', 'b', 'c', 'd', 'e'], looksLike: undefined };
  expect(headlineOf(many)).toBe('a, b, c and 2 more: 2 of 20 cases failed, exactly those with k ≡ 1 mod 16.');
});

test('every report says it once, with one of its cases; JUnit with each', () => {
  expect(failing.length).toBe(2);
  const text = tableReport(results, { colors: picocolors.createColors(false), width: 88 });
  expect(times(text)).toBe(1);
  expect(text.match(/^FAIL kernel/gm)).toHaveLength(1);
  expect(text).toContain(`FAIL ${group.example}`);
  expect(text).toContain('  smaller: gate --case m=1\n  … and 1 more case; the results file has them.\n');
  expect(times(markdownReport(results))).toBe(1);
  expect(markdownReport(results)).toContain('gate --case m=1');
  expect(times(htmlReport(results, { raw: 'results.json' }))).toBe(1);
  expect(times(junitReport(results))).toBe(2);
});

test('every report shows what the smallest case looks like, once', () => {
  const excerpt = { row: 0, col: 0, found: [[1.5]], expected: [[2.5]], difference: [[-1]] };
  const shrunk = { case: 'm=1;k=2;n=1', replay: 'gate --case m=1', reason: 'Wrong.', excerpt };
  const shown = { ...results, groups: [{ ...group, smallerExample: shrunk }] };
  const seen = 'found   expected   difference\n1.5     2.5        -1';
  const timesIn = (text: string) => text.replace(/\n +/g, '\n').split(seen).length - 1;
  expect(timesIn(junitReport(shown))).toBe(1);
  expect(junitReport(shown)).toContain(
    'a search after the run found that a smaller case fails too, 1×2×1: Wrong.',
  );
  expect(markdownReport(shown)).toContain(
    '\n\na search after the run found that a smaller case fails too, 1×2×1: Wrong.\n\n',
  );
  expect(timesIn(markdownReport(shown))).toBe(1);
  expect(markdownReport(shown)).toContain(`\`\`\`text\n${seen}\n\`\`\`\n`);
  const looked = { colors: picocolors.createColors(false), width: 88 };
  expect(timesIn(screenReport(shown, looked, undefined).replace(/^ +/gm, ''))).toBe(1);
  expect(timesIn(tableReport(shown, looked).replace(/^ +/gm, ''))).toBe(1);
});

test('without groups every failing case is shown by itself', () => {
  expect(listFailureGroups(example).map(({ example: { case: text } }) => text)).toEqual(
    failing.map((at) => example.cases[at].case),
  );
});
