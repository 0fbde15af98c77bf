import { readFileSync } from 'node:fs';
import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { startProgress } from './progress.ts';
import { readResults } from './read-results.ts';

const { cases } = readResults(
  readFileSync(new URL('../../share/schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const [passing] = cases;
const failing = cases.find(({ verdict }) => verdict === 'fail') as CaseResult;

function run(
  stream: { isTTY?: boolean; columns?: number },
  planned: number,
  results: CaseResult[],
  each: number,
  within?: number,
) {
  const written: string[] = [];
  let time = 0;
  const progress = startProgress({
    stream: { ...stream, write: (text: string) => written.push(text) },
    planned,
    colors: picocolors.createColors(false),
    now: () => time,
    within,
  });
  for (const result of results) {
    time += each;
    progress.done(result);
  }
  progress.finish();
  return written;
}

it('updates one line of a terminal and removes it at the end', () => {
  const written = run({ isTTY: true, columns: 80 }, 4, [passing, passing], 1000);
  expect(written).toEqual([
    '\r\x1b[2K█████░░░░░░░░░░░░░░░ 1/4 cases, about 3 s left',
    '\r\x1b[2K██████████░░░░░░░░░░ 2/4 cases, about 2 s left',
    '\r\x1b[2K',
  ]);
});

it('never fills a line of the terminal', () => {
  const [line] = run({ isTTY: true, columns: 20 }, 4, [passing], 1000);
  expect([...line.replace('\r\x1b[2K', '')]).toHaveLength(19);
});

it('does not redraw a terminal for each of many quick cases, but for the last', () => {
  const written = run({ isTTY: true }, 1000, new Array(1000).fill(passing), 1);
  expect(written.length).toBeLessThan(15);
  expect(written.at(-2)).toContain('1000/1000 cases');
});

it('prints the first failing case of a kernel as it occurs, in a line', () => {
  const [failed, line] = run({ isTTY: true, columns: 100 }, 4, [failing], 1000);
  expect(failed).toBe(
    '\r\x1b[2KFAIL strassen:register, 129×65×33: 33 entries are wrong where all must be exact\n',
  );
  expect(line).toContain('1/4 cases, 1 failed');
});

it.each([
  [100, '33 entries are wrong: all; worst at (0, 0)', '33 entries are wrong: all; worst at (0, 0)'],
  [70, '33 entries are wrong: all of them; worst at (0, 0)', '33 entries are wrong: all of them'],
  [60, '33 entries are wrong: all of them; worst at (0, 0)', '33 entries are wrong'],
  [50, '33 entries are wrong: all of them; worst at (0, 0)', '33 entries …'],
])(
  'prints as many clauses of the reason as fit %i columns, and no part of a word',
  (columns, reason, shown) => {
    const [line] = run({ columns }, 4, [{ ...failing, reason: `${reason}.` }], 1000);
    expect(line).toBe(`FAIL strassen:register, 129×65×33: ${shown}\n`);
  },
);

it('prints few failing cases, however many there are', () => {
  const failures = Array.from({ length: 10_000 }, (_, at) => ({
    ...failing,
    kernel: `${at % 50}${'k'.repeat(500)}`,
  }));
  const lines = run({}, 10_000, failures, 0).join('').trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('FAIL'))).toHaveLength(3);
  expect(lines.at(-1)).toBe('10000/10000 cases, 10000 failed');
  expect(lines.length).toBeLessThan(10);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
});

it('writes a plain line for each quarter elsewhere', () => {
  const written = run({}, 200, new Array(200).fill(passing), 10);
  expect(written).toHaveLength(4);
  expect(written[0]).toBe('50/200 cases, about 1.5 s left\n');
  expect(written.at(-1)).toBe('200/200 cases\n');
  expect(written.join('')).not.toContain('\x1b');
});

it('is never silent for long elsewhere, for longer in a long run', () => {
  const written = run({}, 100_000, new Array(60).fill(passing), 1000);
  expect(written).toHaveLength(4);
  const ofAnHour = run({}, 100_000, new Array(3600).fill(passing), 1000);
  expect(ofAnHour.length).toBeLessThan(30);
  expect(ofAnHour.length).toBeGreaterThan(15);
});

it('names the first kernel that is inspected, others after a long silence', () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const progress = startProgress({
    stream,
    planned: 1,
    colors: picocolors.createColors(false),
    now: () => 0,
  });
  for (let at = 0; at < 40; at++) progress.say(`Inspecting kernel-${at}`);
  expect(written).toEqual(['Inspecting kernel-0\n']);
});

it('foretells nothing from the first cases, in which the device is opened and programs are compiled', () => {
  const written: string[] = [];
  let time = 0;
  const progress = startProgress({
    stream: { isTTY: true, columns: 80, write: (text: string) => written.push(text) },
    planned: 900,
    colors: picocolors.createColors(false),
    now: () => time,
  });
  for (let done = 0; done < 90; done++) {
    time += done === 0 ? 6000 : 110;
    progress.done(passing);
  }
  expect(written[0]).toMatch(/ 1\/900 cases$/);
  for (const line of written.slice(0, -1)) expect(line).not.toContain('left');
  // 15.79 s for a tenth.
  expect(written.at(-1)).toMatch(/ 90\/900 cases, about 2 min 22 s left$/);
});

it('foretells no more than a budget leaves', () => {
  const tenth = Array<CaseResult>(10).fill(passing);
  const told = (within?: number) => run({ isTTY: true, columns: 80 }, 100, tenth, 1500, within).at(-2);
  expect(told()).toMatch(/ 10\/100 cases, about 2 min 15 s left$/);
  expect(told(20)).toMatch(/ 10\/100 cases, about 5 s left$/);
  expect(told(10)).toMatch(/ 10\/100 cases$/);
});

it('tells of what comes after the cases: elsewhere than on a terminal of its parts only after a long silence', () => {
  const said = (stream: { isTTY?: boolean }) => {
    const written: string[] = [];
    let time = 0;
    const progress = startProgress({
      stream: { ...stream, write: (text: string) => written.push(text) },
      planned: 1,
      colors: picocolors.createColors(false),
      now: () => time,
    });
    progress.say('Inspecting mine');
    for (time = 8_000; time <= 32_000; time += 8_000) progress.say('Inspecting mine', `question ${time}`);
    return written;
  };
  expect(said({})).toEqual([
    'Inspecting mine\n',
    ...[16_000, 32_000].map((t) => `Inspecting mine: question ${t}\n`),
  ]);
  expect(said({ isTTY: true })).toHaveLength(5);
});
