import { readFileSync } from 'node:fs';
import picocolors from 'picocolors';
import { expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { startProgress } from './progress.ts';
import { readResults } from './read-results.ts';

const { cases } = readResults(
  readFileSync(new URL('../../schemas/results.example.json', import.meta.url), 'utf8'),
  'the example',
);
const [passing] = cases;
const failing = cases.find(({ verdict }) => verdict === 'fail') as CaseResult;

function run(
  stream: { isTTY?: boolean; columns?: number },
  planned: number,
  results: CaseResult[],
  each: number,
) {
  const written: string[] = [];
  let time = 0;
  const progress = startProgress({
    stream: { ...stream, write: (text: string) => written.push(text) },
    planned,
    colors: picocolors.createColors(false),
    now: () => time,
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

it('prints failing cases as they occur, with their reason alone', () => {
  const [failed, line] = run({ isTTY: true, columns: 100 }, 4, [failing], 1000);
  expect(failed).toMatch(/FAIL kernel=strassen:register;levels=2[^\n]*\n {2}33 entries are wrong [^\n]*\n$/);
  expect(failed.startsWith('\r\x1b[2KFAIL')).toBe(true);
  expect(line).toContain('1/4 cases, 1 failed');
});

it('writes a plain line for each tenth elsewhere', () => {
  const written = run({}, 200, new Array(200).fill(passing), 10);
  expect(written).toHaveLength(10);
  expect(written[0]).toBe('20/200 cases, about 1.8 s left\n');
  expect(written.at(-1)).toBe('200/200 cases\n');
  expect(written.join('')).not.toContain('\x1b');
});

it('is never silent for long elsewhere', () => {
  const written = run({}, 100_000, new Array(60).fill(passing), 1000);
  expect(written).toHaveLength(4);
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
