import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { markdownReport } from './markdown.ts';
import { readResults } from './read-results.ts';

const example = readResults(
  readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const failure = example.cases.find(({ verdict }) => verdict === 'fail') as CaseResult;

it('says the verdict, the device, the table, and how to repeat failures', () => {
  const text = markdownReport(example);
  expect(text).toContain('## ❌ gemm-paranoia: fail\n');
  expect(text).toContain(
    'On SwiftShader Device (Subzero) (software, <code>swiftshader-0123456789ab</code>).',
  );
  expect(text).toContain('| strassen:register | 2 | 4 | 2 | **2** | 0 | 71.3 | 184.0 % | 5.21 | **2/4** |');
  expect(text).toContain('exact: 33, allowed 0; running-bound: 1.84, allowed 1');
  expect(text).toContain(`<code>${failure.replay}</code>`);
  expect(text).toContain('<details><summary>2 cases inconclusive</summary>');
  expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length as number);
});

it('gives every row as many cells as its table has headings', () => {
  const hostile = 'a|b\n</details><img src=x> `c` **d** [e](f) \\| @g';
  const result = { ...failure, case: hostile, kernel: hostile, reason: hostile, replay: hostile };
  const text = markdownReport({ ...example, reason: hostile, cases: [result, ...example.cases] });
  for (const table of text.split('\n\n').filter((block) => block.startsWith('|'))) {
    const cells = table.split('\n').map((row) => row.split('|').length);
    expect(new Set(cells).size).toBe(1);
  }
  expect(text).not.toContain('<img');
  expect(text).not.toContain('**d**');
  expect(text).not.toContain('[e]');
  // GitHub notifies people whom a text mentions.
  expect(text).not.toContain('@g');
  expect(text).toContain('a&#124;b &#60;/details&#62;&#60;img src=x&#62;');
});

itWhole('stays within what GitHub takes, with the verdict and the failures first', () => {
  const long = '<'.repeat(2000);
  const cases = Array.from({ length: 5000 }, (_, i) => ({
    ...failure,
    case: `${i}${long}`,
    kernel: `${i}${long}`,
    reason: `${i}${long}`,
    replay: `${i}${long}`,
  }));
  const notes = cases.map(({ reason }) => reason);
  const text = markdownReport({ ...example, cases, notes });
  expect(new TextEncoder().encode(text).length).toBeLessThan(2 ** 20);
  expect(text).toContain('### 5000 cases failed');
  expect(text).toContain('\n… and 4950 more cases; the results file has them all.\n');
  expect(text).toContain('1 section omitted for length; the results file has all.');
});

it('shows a run of nothing', () => {
  const text = markdownReport({
    ...example,
    cases: [],
    growth: [],
    verdict: 'inconclusive',
    reason: 'Nothing ran.',
  });
  expect(text).toContain('## ⚠️ gemm-paranoia: inconclusive');
  expect(text).toContain('No case ran.');
});
