import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { itWhole } from '../base/in-short.testing.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { displayWidth } from '../report/terminal/text.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import type { Results } from '../run/results.ts';
import { readResults } from './read-results.ts';
import { screenReport } from './screen.ts';

const example = readResults(
  readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8'),
);
const passing = example.cases.find(
  ({ verdict, input }) => verdict === 'pass' && input === 'uniform',
) as CaseResult;
const failing = example.cases.find(({ verdict }) => verdict === 'fail') as CaseResult;
const FILE = 'reports/local/results.json';
const look = (width = 100) => ({ colors: picocolors.createColors(false), width });
const linesOf = (results: Results, width = 100) =>
  screenReport(results, look(width), FILE).trimEnd().split('\n');

/** Counts the rows of a terminal: a command longer than a line takes several. */
const rowsOf = (lines: readonly string[], width = 100) =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / width)), 0);

const hostile = `\x1b[2J<b>|‮\r\n${'k'.repeat(500)}`;
const excerpt = {
  ...{ row: 0, col: 0 },
  found: [
    [1.5, 2.5],
    [3.5, 4.5],
  ],
  expected: [
    [1.5, 2.5],
    [3.5, 4.25],
  ],
  difference: [
    [0, 0],
    [0, 0.25],
  ],
};

/** Makes results of kernels, each with a number of passing cases. */
function passed(kernels: number, each = 3, own = false): Results {
  const cases = Array.from({ length: kernels * each }, (_, at): CaseResult => {
    const kernel = `${own ? `algorithm-${at % 5}:` : ''}kernel-${at % kernels}`;
    return { ...passing, kernel, algorithm: `algorithm-${at % 5}`, leaf: own ? 'naive' : '' };
  });
  const summary = { ...example.summary, planned: cases.length, run: cases.length, pass: cases.length };
  return { ...example, verdict: 'pass', reason: 'All passed.', cases, growth: [], summary };
}

/** Makes results of failures, in a number of groups and kernels. */
function failed(
  count: number,
  groups: number,
  kernels: number,
  name = (at: number) => `kernel-${at}`,
): Results {
  const cases = Array.from({ length: count }, (_, at) => ({
    ...failing,
    kernel: name(at % kernels),
    case: `kernel=${name(at % kernels)};m=2;k=3;n=2;seed=${at}`,
    excerpt,
  }));
  const made = Array.from({ length: groups }, (_, at): FailureGroup => {
    const places = cases.flatMap((_, place) => (place % groups === at ? [place] : []));
    return {
      ...{
        kernels: [name(at % kernels)],
        says: `${places.length} of ${count} cases fail`,
        later: at >= kernels,
      },
      ...{ failing: places.length, judged: count, passing: 0, apart: 0, checks: {} },
      ...{ example: cases[places[0]].case, cases: places },
    };
  });
  const summary = { ...example.summary, planned: count, run: count, fail: count, pass: 0, inconclusive: 0 };
  const reason = `${count} of ${count} cases failed.`;
  return { ...example, verdict: 'fail', reason, cases, groups: made, growth: [], summary };
}

describe('a run that passes', () => {
  test('has a line for each kernel: cases, error, change since the baseline, grade and time', () => {
    const results = passed(2);
    const inspection = { findings: [], measures: { grade: 'A' as const }, precision: 'f32', quick: true };
    const text = linesOf({
      ...results,
      // Two processes run at once: of 3 s of work each kernel has half of the 2 s that passed.
      summary: { ...results.summary, seconds: 2 },
      cases: results.cases.map((one, at) => ({
        ...one,
        judgingSeconds: 0.5,
        sinceBaseline: at === 1 ? 1.25 : 1,
      })),
      inspections: [{ kernel: 'kernel-0', seed: 1, products: 9, seconds: 1, ...inspection }],
    });
    expect(text.slice(0, 5)).toEqual([
      'gemm-paranoia 0.1.0 on SwiftShader Device (Subzero) (software): 6 cases in 2 s, seed 1',
      '',
      '   kernel     cases  max sigmas  baseline  grade  time',
      '✓  kernel-0  3 pass         1.1      same      A   1 s',
      '✓  kernel-1  3 pass         1.1    1.25 ×      –   1 s',
    ]);
    expect(text.at(-1)).toBe('PASS: All passed (exit code 0: no check failed).');
  });

  itWhole.each([
    [1, false],
    [8, false],
    [40, true],
    [40, false],
    [1000, false],
  ])('takes at most 15 lines with %i kernels, ours: %s, and any notes', (kernels, own) => {
    const results = passed(kernels, 2, own);
    const notes = Array.from({ length: 50 }, (_, at) => `Of ${at} was not asked ${'words '.repeat(40)}.`);
    for (const width of [60, 100]) {
      expect(rowsOf(linesOf({ ...results, notes }, width), width)).toBeLessThanOrEqual(15);
      expect(linesOf({ ...results, notes }, width).join(' ')).toMatch(/\d+ notes are in reports\/local/);
    }
  });

  test('has a line for each algorithm of ours, and for all that there is no room for', () => {
    expect(linesOf(passed(40, 2, true)).filter((line) => line.startsWith('✓'))).toHaveLength(5);
    expect(linesOf(passed(40, 2, true)).join('\n')).toMatch(/^✓ {2}algorithm-3 \(8 kernels\) +16 pass/m);
    expect(linesOf(passed(40)).join('\n')).toMatch(/^✓ {2}33 other kernels +99 pass/m);
  });

  test('says nothing of inspections, and of notes that several kernels share one', () => {
    const results = passed(3);
    const notes = ['kernel-0', 'kernel-1', 'kernel-2'].map((name) => `${name} was not tested with beta.`);
    const text = linesOf({ ...results, notes }).join('\n');
    expect(text).toContain(
      '\n\nkernel-0 was not tested with beta. The same applies to kernel-1 and kernel-2.\n\n',
    );
    expect(text).not.toMatch(/…|--verbose/);
  });
});

describe('a run that fails', () => {
  test('tells what is shared, the smallest case, what it looks like, and one command', () => {
    expect(linesOf({ ...failed(3, 1, 1), notes: ['Something.'] })).toEqual([
      'gemm-paranoia 0.1.0 on SwiftShader Device (Subzero) (software): 3 cases in 1.4 s, seed 1',
      '',
      '   kernel          cases',
      '✗  kernel-0  3 of 3 fail',
      '',
      'kernel-0: 3 of 3 cases fail.',
      expect.stringMatching(/^ {2}smallest, 2×3×2: 33 entries are wrong/),
      '  found     expected   difference',
      '  1.5 2.5   1.5  2.5   0    0',
      '  3.5 4.5   3.5 4.25   0 0.25',
      '  replay: npx gemm-paranoia gate --replay 1',
      '  case: kernel=kernel-0;m=2;k=3;n=2;seed=0',
      '',
      `1 note is in ${FILE}; --verbose prints it.`,
      'FAIL: 3 of 3 cases failed (exit code 1: a check failed).',
    ]);
  });

  test('is replayed by its number where results are written, else by its case', () => {
    const results = failed(3, 1, 1);
    const replayIn = (file: string | undefined, replay = failing.replay) => {
      const cases = results.cases.map((one) => ({ ...one, replay }));
      return /replay: npx gemm-paranoia (.*)/.exec(screenReport({ ...results, cases }, look(), file))?.[1];
    };
    expect(replayIn(FILE)).toBe('gate --replay 1');
    expect(replayIn('out/a/results.json')).toBe("gate --replay 1 --out 'out/a'");
    const several = "npx gemm-paranoia gate k.mjs --case 'kernel=k;m=1' --case 'kernel=k;m=2' --in 'deno'";
    expect(replayIn(FILE, several)).toBe("gate k.mjs --replay 1 --in 'deno'");
    for (const file of [undefined, 'reports/local/report.html'])
      expect(`npx gemm-paranoia ${replayIn(file)}`).toBe(failing.replay);
    const secret = "npx gemm-paranoia gate k.py --case 'kernel=k' --untrusted";
    expect(`npx gemm-paranoia ${replayIn(FILE, secret)}`).toBe(secret);
  });

  test('shows what a shrunk example looks like in the place of the example', () => {
    const results = failed(3, 1, 1);
    const shrunk = {
      case: 'kernel=kernel-0;m=1;k=9;n=1;alpha=2',
      replay: 'gate --case m=1',
      reason: 'Wrong.',
    };
    const one = { row: 0, col: 0, found: [[1]], expected: [[3]], difference: [[-2]] };
    const [group] = results.groups as FailureGroup[];
    const text = linesOf({
      ...results,
      groups: [{ ...group, smallerExample: { ...shrunk, excerpt: one } }],
    }).join('\n');
    expect(text).toContain(
      '  smallest, 1×9×1, alpha=2: Wrong.\n  found   expected   difference\n  1       3          -2\n  replay: gate --case m=1\n',
    );
    expect(text.match(/found /g)).toHaveLength(1);
  });

  test('leaves out of a reason what headline and excerpt say already', () => {
    const results = failed(2, 1, 1);
    const [group] = results.groups as FailureGroup[];
    const says = 'as if k were 1';
    const reason = `2 of 4 entries differ: all; worst at (0, 0): found 1, expected 2; ${says}; other.`;
    const cases = results.cases.map((result) => ({ ...result, reason }));
    const looksLike = { cause: 'x', says, count: 2 };
    const text = linesOf({ ...results, cases, groups: [{ ...group, looksLike }] }).join('\n');
    expect(text).toContain('smallest, 2×3×2: 2 of 4 entries differ: all; other.\n');
    expect(text.split(says)).toHaveLength(2);
  });

  test('tells of three kernels with one mistake each in full', () => {
    const text = linesOf(failed(60, 3, 3));
    expect(text.filter((line) => line.includes('difference'))).toHaveLength(3);
    expect(text.filter((line) => line.startsWith('  replay: '))).toHaveLength(3);
    expect(rowsOf(text)).toBeLessThanOrEqual(40);
  });

  itWhole.each([
    [10_000, 150, 40],
    [10_000, 5, 1],
    [10_000, 3, 3],
    [7, 7, 7],
  ])('takes at most 40 lines for %i failures in %i groups of %i kernels', (count, groups, kernels) => {
    for (const name of [(at: number) => `kernel-${at}`, (at: number) => `${at}${hostile}`]) {
      const results = failed(count, groups, kernels, name);
      for (const width of [60, 100]) expect(rowsOf(linesOf(results, width), width)).toBeLessThanOrEqual(40);
      const { groups: _, ...ungrouped } = results;
      expect(rowsOf(linesOf(ungrouped))).toBeLessThanOrEqual(40);
    }
  });

  itWhole('says how many groups were left out and where they are', () => {
    const text = linesOf(failed(10_000, 150, 40));
    const shown = text.filter((line) => line.startsWith('  replay: ')).length;
    expect(shown).toBeGreaterThan(4);
    expect(text.at(-2)).toBe(`${150 - shown} groups of failures are in ${FILE}; --verbose prints them.`);
    const nowhere = screenReport(failed(10_000, 150, 40), look(), undefined)
      .trimEnd()
      .split('\n');
    expect(nowhere.at(-2)).toBe(`${150 - shown} groups of failures are not shown; --verbose prints them.`);
  });

  test('tells which claim outputs fit, whole, below what they disprove', () => {
    const contradictions = [`It claims to be classical, but ${'it is another thing, '.repeat(9)}.`];
    const measures = { algorithm: 'strassen', levelsBySize: [{ n: 64, algorithm: 'strassen', levels: 1 }] };
    const inspection = { findings: [], measures, precision: 'f32', quick: true, seed: 1, products: 9 };
    const made = { kernel: 'kernel-0', seconds: 1, contradictions, ...inspection };
    const results = { ...passed(2), verdict: 'fail', reason: '', inspections: [made] } as Results;
    const text = linesOf(results);
    const at = text.findIndex((line) => line.startsWith('kernel-0 is wrong: it claims'));
    expect(text[at + 1]).toMatch(/another thing.* …$/);
    expect(text[at + 2]).toBe("  replay: npx gemm-paranoia inspect --kernel 'kernel-0'");
    expect(text[at + 3]).toBe("  paste: claims: { algorithm: 'strassen', levels: 1 }");
    const wrong = { ...results, cases: failed(2, 1, 1).cases };
    const exact = wrong.cases.map((one) => ({
      ...one,
      checks: [{ name: 'exact', status: 'fail' as const, message: '' }],
    }));
    expect(linesOf({ ...wrong, cases: exact }).join()).not.toContain('paste:');
  });

  test('tells what outputs disprove, once', () => {
    const contradictions = ['It claims f32, but 11 bits were found.', 'It claims grade A.'];
    const inspection = { findings: [], measures: {}, precision: 'f32', quick: true, seed: 1, products: 9 };
    const said = contradictions.map((one) => `kernel-0 is wrong: ${one.replace('It', 'it')}`).join(' ');
    const results: Results = {
      ...passed(2),
      ...{ verdict: 'fail', reason: said },
      inspections: [{ kernel: 'kernel-0', seconds: 1, contradictions, ...inspection }],
    };
    const text = linesOf(results);
    expect(text.join(' ')).toContain(
      'kernel-0 is wrong: it claims f32, but 11 bits were found. --verbose prints 1 more reason.',
    );
    expect(text.join('\n')).toMatch(/^✗ {2}kernel-0 +3 pass, inspection fails/m);
    expect(text.at(-1)).toBe('FAIL: Inspection found 1 wrong kernel (exit code 1: a check failed).');
    const both = linesOf({ ...results, reason: `2 of 6 cases failed. ${said}` });
    expect(both.at(-1)).toBe('FAIL: 2 of 6 cases failed (exit code 1: a check failed).');
  });
});

describe('any run', () => {
  test('tells what became of its waivers, and counts waived cases apart', () => {
    const waived = { reason: 'Issue 17.', expires: '2999-12-31' };
    const results = failed(3, 1, 1);
    const { groups: _, ...ungrouped } = results;
    const text = linesOf({
      ...ungrouped,
      ...{ verdict: 'pass', reason: '2 of 3 cases passed.' },
      cases: results.cases.map((result, at) =>
        at === 0 ? { ...result, waiver: waived } : { ...result, verdict: 'pass' as const },
      ),
      waivers: [{ case: 'm=2', ...waived, state: 'used', matched: 3, failed: 1 }],
    }).join('\n');
    expect(text).toMatch(/^✓ {2}kernel-0 +2 pass, 1 waived$/m);
    expect(text).toContain('Waiver used: 1 of 3 cases failed, until 2999-12-31: Issue 17. (m=2)\n');
    expect(text).not.toContain('replay');
  });

  test('that is inconclusive says why, and how to repeat one of each reason', () => {
    const text = linesOf(example.verdict === 'fail' ? { ...example, verdict: 'inconclusive' } : example).join(
      '\n',
    );
    expect(text).toMatch(/^2 cases inconclusive: winograd:tiled needs 4294967296 bytes/m);
    expect(text).toMatch(/^ {2}replay one: /m);
  });

  test('of nothing says so', () => {
    const text = linesOf({ ...passed(0), verdict: 'inconclusive', reason: 'Nothing was run.' });
    expect(text).toContain('No case finished.');
    expect(text[0]).toMatch(/: 0 cases, seed /);
  });

  test('of kernels that need no adapter is on the processor', () => {
    const adapter = { ...example.adapter, kind: 'hardware' as const, name: 'AMD EPYC', backend: 'processor' };
    const [head] = linesOf({ ...passed(1), adapter });
    expect(head).toContain(' on the CPU (AMD EPYC): ');
    expect(head).not.toContain('hardware');
  });

  test('keeps all but commands within the width, in colours the same', () => {
    for (const width of [60, 80, 100]) {
      const text = linesOf(failed(60, 3, 3), width);
      for (const line of text.filter((one) => !one.startsWith('  replay: ') && !one.startsWith('…')))
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const painted = screenReport(
        failed(60, 3, 3),
        { colors: picocolors.createColors(true), width },
        FILE,
      ).trimEnd();
      expect(painted).toContain('\x1b[31m');
      expect(stripVTControlCharacters(painted).split('\n')).toEqual(text);
    }
  });
});
