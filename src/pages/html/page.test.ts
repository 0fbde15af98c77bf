import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { syntheticResults } from '../../../browser/synthetic.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import { SCRIPT, SCRIPT_HASH } from '../../report/html/script.ts';
import type { Results } from '../../run/results.ts';
import { htmlReport, LARGEST_REPORT } from './page.ts';

const size = (text: string) => Buffer.byteLength(text);
const raw = 'results.json';

it('allows its own script alone', () => {
  expect(SCRIPT_HASH).toBe(createHash('sha256').update(SCRIPT).digest('base64'));
});

it('shows 900 cases and every part in less than 300 KB', () => {
  const page = htmlReport(syntheticResults(), { raw });
  expect(size(page)).toBeLessThan(300_000);
  expect(page).not.toMatch(/left out/);
  expect(page.match(/<td>pass<td>/g)).toHaveLength(896);
  const parts = [...page.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id);
  expect(parts).toEqual('kernels size levels maps histograms speed study device cases'.split(' '));
});

it('stays small with any number of cases, failures first, and says what is left out', () => {
  const results = syntheticResults();
  const many = Array.from({ length: 30_000 }, (_, at): CaseResult => results.cases[at % 900]);
  const page = htmlReport({ ...results, cases: many }, { raw, against: results });
  expect(size(page)).toBeLessThanOrEqual(LARGEST_REPORT);
  expect(page).toMatch(/<strong>\d+ more cases are left out<\/strong>/);
  expect(page.indexOf('✗ fail</b><td>')).toBeLessThan(page.indexOf('? inconclusive</b><td>'));
  expect(page.indexOf('? inconclusive</b><td>')).toBeLessThan(page.indexOf('<td>pass<td>'));
});

it('stays small where every case has names of its own', () => {
  const results = syntheticResults();
  const cases = results.cases.map((result, at): CaseResult => {
    const [kernel, input] = [`kernel-${'k'.repeat(100)}${at}`, `input-${'i'.repeat(100)}${at}`];
    return { ...result, kernel, input, algorithm: `${at}` };
  });
  expect(size(htmlReport({ ...results, cases }, { raw }))).toBeLessThanOrEqual(LARGEST_REPORT);
});

it('leaves a part out that would fill the page', () => {
  const results = syntheticResults();
  const [cell] = results.study?.cells ?? [];
  const cells = Array.from({ length: 400 }, (_, at) => ({
    ...cell,
    row: `${at}`,
    note: `${at} ${'x'.repeat(590)}`,
  }));
  const page = htmlReport({ ...results, study: { ...results.study!, cells } }, { raw });
  expect(size(page)).toBeLessThanOrEqual(LARGEST_REPORT);
  expect(page).toMatch(/<h2>Study: .*<\/h2><p>This part is left out/);
});

it('escapes every text of the file, and no text fills the page', () => {
  const results = syntheticResults();
  const hostile = `</title></script><script>alert(1)</script><img src=x onerror="a">'"\u202e\u0007${'x'.repeat(5000)}`;
  const spoil = (value: unknown, key = ''): unknown => {
    const kept = ['verdict', 'status', 'standing', 'schema', 'measure', 'over', 'kind'];
    if (typeof value === 'string')
      return kept.includes(key) || value === 'NaN' || value === 'Infinity' ? value : hostile;
    if (Array.isArray(value)) return value.map((one) => spoil(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([at, one]) => [at, spoil(one, at)]));
  };
  const spoilt = spoil(results) as Results;
  const page = htmlReport(spoilt, { raw, against: { ...spoilt, cases: spoilt.cases.slice(1) } });
  expect(size(page)).toBeLessThanOrEqual(LARGEST_REPORT);
  for (const forbidden of ['<img', '\u202e', '\u0007']) expect(page).not.toContain(forbidden);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page.match(/<\/script/g)).toHaveLength(1);
});

it('is a report also without cases, and leaves out what there is nothing to show of', () => {
  const { study: _, probe: __, ...rest } = syntheticResults();
  const page = htmlReport({ ...rest, cases: [], growth: [] }, { raw });
  expect([...page.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id)).toEqual(['device', 'cases']);
  expect(page).toContain('No case was run');
});

it('refuses to draw maps and histograms that no picture could hold', () => {
  const results = syntheticResults();
  const [first] = results.cases;
  const huge: CaseResult = {
    ...first,
    levels: 1e15,
    levelsUsed: 1e15,
    errorMap: { rows: 1e9, cols: 1e9, cells: [1] },
    histogram: { width: 1e300, counts: [0, 0] },
  };
  const page = htmlReport({ ...results, cases: [huge] }, { raw });
  expect(page).not.toContain('id="maps"');
  expect(page).not.toMatch(/="[^"]*NaN/);
});
