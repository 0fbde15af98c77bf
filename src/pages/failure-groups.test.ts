import { readFileSync } from 'node:fs';
import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import type { FailureGroup } from '../run/groups/group.ts';
import { headlineOf, shownGroups } from './failure-groups.ts';
import { htmlReport } from './html/page.ts';
import { markdownReport } from './markdown.ts';
import { junitReport } from './node/junit.ts';
import { readResults } from './read-results.ts';
import { tableReport } from './terminal.ts';

const example = readResults(
  readFileSync(new URL('../../schemas/results.example.json', import.meta.url), 'utf8'),
);
const failing = example.cases.flatMap(({ verdict }, at) => (verdict === 'fail' ? [at] : []));
const group: FailureGroup = {
  kernels: ['strassen:register'],
  says: '2 of 20 cases fail: exactly those with k ≡ 1 mod 16',
  ...{ rule: ['k ≡ 1 mod 16'], later: false, failing: 2, judged: 20, passing: 0, apart: 0 },
  checks: { exact: 2 },
  looksLike: { cause: 'last-terms-lost', says: 'as if the last term of k were missing', count: 1 },
  example: example.cases[failing[1]].case,
  shrunk: { case: 'm=1', replay: 'gate --case m=1', reason: 'Wrong.' },
  cases: failing,
};
const results = { ...example, groups: [group] };
const headline =
  'strassen:register: 2 of 20 cases fail: exactly those with k ≡ 1 mod 16; 1 of them looks like this: as if the last term of k were missing.';
const times = (text: string) => text.replace(/\s+/g, ' ').split(headline).length - 1;

test('a group says of which kernels it is, what fails and what it looks like', () => {
  expect(headlineOf(group)).toBe(headline);
  const many = { ...group, kernels: ['a', 'b', 'c', 'd', 'e'], looksLike: undefined };
  expect(headlineOf(many)).toBe('a, b, c and 2 more: 2 of 20 cases fail: exactly those with k ≡ 1 mod 16.');
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

test('without groups every failing case is shown by itself', () => {
  expect(shownGroups(example).map(({ example: { case: text } }) => text)).toEqual(
    failing.map((at) => example.cases[at].case),
  );
});
