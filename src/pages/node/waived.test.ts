import { readFileSync } from 'node:fs';
import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import { syntheticResults } from '../../../tests/support/synthetic.ts';
import { itWhole } from '../../base/in-short.testing.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Results } from '../../run/results.ts';
import { compareRuns } from '../compare.ts';
import { htmlReport, LARGEST_REPORT } from '../html/page.ts';
import { markdownReport } from '../markdown.ts';
import { startProgress } from '../progress.ts';
import { readResults } from '../read-results.ts';
import { tableReport } from '../terminal.ts';
import { junitReport } from './junit.ts';

const example = readResults(
  readFileSync(new URL('../../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const plain = { colors: picocolors.createColors(false), width: 100 };
const waived = { reason: 'Issue 17 <b>.', expires: '2026-12-31' };

/** Waives the failures of the results. */
function waiving(results: Results): Results {
  const cases = results.cases.map(
    (result): CaseResult => (result.verdict === 'fail' ? { ...result, waiver: waived } : result),
  );
  const count = cases.filter((result) => result.waiver !== undefined).length;
  const about = { case: 'kernel=strassen:*', matched: 12, failed: count, ...waived };
  return {
    ...results,
    ...{ cases, verdict: 'fail', summary: { ...results.summary, waived: count } },
    waivers: [
      { ...about, state: 'used' },
      { ...about, case: 'kernel=gone', state: 'unused', matched: 0, failed: 0, check: 'sigma' },
      { ...about, case: 'm=1', state: 'idle' },
    ],
    notes: ['Something <i> was left out.'],
  };
}
const results = waiving(example);
const cases = results.cases.filter((result) => result.waiver !== undefined);

it('is one standing among others in the terminal', () => {
  const text = tableReport(results, plain);
  expect(cases).toHaveLength(2);
  expect(text).toContain('kernel              levels  cases  pass  fail  waived  incon.  sigmas');
  expect(text).toMatch(/strassen:register +2 +4 +2 +0 +2 +0 /);
  expect(text).not.toMatch(/^FAIL kernel/m);
  expect(text).toMatch(/^used +2 of 12 cases failed, until 2026-12-31 +Issue 17 <b>\. +kernel=strassen:\*$/m);
  expect(text).toMatch(/^unused +0 of 0 cases failed sigma, until 2026-12-31 +Issue 17 <b>\. +kernel=gone$/m);
  expect(text).toContain('\nSomething <i> was left out.\n');
  expect(text).not.toContain('m=1 ');
  expect(text).toContain('16 pass, 0 fail, 2 waived, 2 inconclusive; ');
});

it('makes a pass say less, and a failure where its waiver does not hold', () => {
  const last = (changed: Partial<Results>) =>
    tableReport({ ...results, ...changed }, plain)
      .trim()
      .split('\n')
      .at(-1);
  const summary = { ...results.summary, fail: 2 };
  expect(last({ verdict: 'pass' })).toMatch(/\(exit code 0: no other check failed\)\.$/);
  expect(last({ summary })).toMatch(/\(exit code 1: a waiver does not hold\)\.$/);
  expect(last({ summary: { ...summary, fail: 3 } })).toMatch(/\(exit code 1: a check failed\)\.$/);
});

it('is told in Markdown with its reason and date', () => {
  const text = markdownReport(results);
  expect(text).not.toContain('cases failed\n');
  expect(text).toContain('| kernel | levels | cases | pass | fail | waived | incon. |');
  expect(text).toContain('<details><summary>2 waivers</summary>');
  expect(text).toContain('<details><summary>2 cases waived</summary>');
  expect(text.match(/Waived until 2026-12-31: Issue 17 &#60;b&#62;\./g)).toHaveLength(2);
  expect(text).toContain('\n- Something &#60;i&#62; was left out.\n');
});

it('is a skipped test in JUnit, never a passed or failed one', () => {
  const text = junitReport(results);
  expect(text.match(/<skipped message="Waived until 2026-12-31: Issue 17 &lt;b>\."/g)).toHaveLength(2);
  expect(text).toMatch(/<testsuites [^>]*failures="1"[^>]*skipped="4"/);
  expect(text).toContain(`replay: ${cases[0].replay}`);
});

itWhole('has a mark, a filter and a table of its own in HTML, which stays small', () => {
  const page = htmlReport(results, { raw: 'results.json' });
  expect(page).toMatch(
    /<tbody data-v="waived" [^>]*>.*<b class="unsure">~ waived<\/b> [^<]* <small>2 cases</,
  );
  expect(page).not.toContain('data-v="fail"');
  expect(page).toContain('<option>waived');
  expect(page).not.toContain('<option>fail');
  expect(page.match(/<p>Waived until 2026-12-31: Issue 17 &lt;b&gt;\.<\/p>/g)).toHaveLength(2);
  expect(page).toMatch(/<section id="waivers">.*<b class="bad">unused<\/b>.*<td><code>kernel=gone</s);
  expect(page).toContain('<li>Something &lt;i&gt; was left out.');
  const many = waiving(syntheticResults());
  const waivers = Array.from({ length: 500 }, () => ({ ...many.waivers![0], reason: 'x'.repeat(5000) }));
  const notes = waivers.map(({ reason }) => reason);
  const large = htmlReport({ ...many, waivers, notes }, { raw: 'results.json' });
  expect(Buffer.byteLength(large)).toBeLessThanOrEqual(LARGEST_REPORT);
});

it('that was a failure before has changed', () => {
  expect(compareRuns(results, example).verdicts).toHaveLength(2);
  expect(compareRuns(results, results).verdicts).toEqual([]);
});

it('is no failure while a gate runs', () => {
  let text = '';
  const stream = { write: (more: string) => (text += more) };
  const progress = startProgress({ stream, planned: 1, colors: plain.colors, now: () => 0 });
  progress.done(cases[0]);
  expect(text).toBe('1/1 cases\n');
});
