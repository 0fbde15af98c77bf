import { afterEach, describe, expect, it, vi } from 'vitest';
import { EXIT } from '../../src/base/errors.ts';
import { isWhole } from '../../src/base/in-short.testing.ts';
import { terminalTables } from '../../src/report/terminal/table.ts';
import { plainLook } from '../../src/report/terminal/text.ts';
import { askOfHistory, historicBugs } from './ask.ts';
import { chosenOf, exitCode, historyJson, historyTables, outcomeText, runHistory } from './command.ts';
import type { CommandFinding, HistoryOutcome } from './rates.ts';

afterEach(() => vi.restoreAllMocks());

const bugs = await historicBugs();
const found = (id: string) => bugs.find((one) => one.id === id) as (typeof bugs)[number];
const on = { adapter: 'a processor', seed: 1 };
const missed: CommandFinding = { caught: false, cases: 170, seconds: 2, on };
const caught: CommandFinding = { caught: true, check: 'exact', at: 'm=1;k=0;n=1', seconds: 1, on };
const stuck: CommandFinding = { caught: undefined, at: 'no answer in 900 s', seconds: 900 };
const outcome = (gate: CommandFinding, fuzz = missed, inspect = missed): HistoryOutcome => ({
  ...{ bug: found('mlx-3822'), gate, fuzz, inspect },
});

describe('what commands said of a bug of history', () => {
  it('is told with what happened, when, and how well that is known', () => {
    const text = outcomeText(outcome(caught, missed, stuck));
    expect(text).toMatch(/^mlx-3822 \(MLX\): The offset of a row of A was a 32-bit integer: .*\.$/m);
    expect(text).toMatch(/^ {2}fails if \(m - 1\)·k reaches 2\^21: .*\. Scaled: 2\^21 for 2\^31\.$/m);
    expect(text).toMatch(/^ {2}known: cause; https:.*3822$/m);
    expect(text).toMatch(/^ {2}gate caught by exact in 1 s: m=1;k=0;n=1$/m);
    expect(text).toMatch(/^ {2}fuzz MISSED in all 170 cases in 2 s$/m);
    expect(text).toMatch(/^ {2}inspect undecided in .*: no answer in 900 s$/m);
  });

  it('is counted with intervals, whatever could not decide as a miss', () => {
    const outcomes = [outcome(caught), outcome(missed, caught), outcome(stuck)];
    const text = terminalTables(historyTables(outcomes), plainLook);
    expect(text).toMatch(/^mlx-3822 +cause +exact, 1 s +missed, 2 s +missed, 2 s$/m);
    expect(text).toMatch(/^gate +1 +3 +33.3 % +6.1 % to 79.2 %$/m);
    expect(text).toMatch(/^any +2 +3 +66.7 %/m);
    expect(text).toMatch(/^Wilson’s intervals. On a processor, seed 1.$/m);
    expect(historyJson(outcomes)).toMatchObject({
      bugs: [{ id: 'mlx-3822', gate: caught }, { fuzz: caught }, { gate: stuck }],
      ...{ rates: { gate: { caught: 1, of: 3 } }, ...on },
    });
  });

  it('is told of each half apart', () => {
    const [bug] = bugs.filter(({ half }) => half === 'unseen');
    const unseen = { ...outcome(missed), bug };
    const text = terminalTables(historyTables([outcome(caught), unseen]), plainLook);
    expect(text).toMatch(
      new RegExp(`The first half\\n[\\s\\S]*mlx-3822[\\s\\S]*The unseen half\\n[\\s\\S]*${bug.id}`),
    );
    expect(text).toMatch(/Bugs caught in the unseen half\n[\s\S]*?^gate +0 +1 +0.0 %/m);
    expect(text).toMatch(/Bugs caught in both halves\n[\s\S]*?^gate +1 +2 +50.0 %/m);
    expect(historyJson([outcome(caught), unseen])).toMatchObject({
      bugs: [{ half: 'first' }, { half: 'unseen' }],
      halves: { first: { gate: { of: 1 } }, unseen: { gate: { of: 1 } }, both: { gate: { of: 2 } } },
    });
  });

  it('is a failure where the gate missed one, and inconclusive where not all are known', () => {
    expect(exitCode([outcome(caught), outcome(caught)], 2)).toBe(EXIT.pass);
    expect(exitCode([outcome(caught), outcome(missed)], 2)).toBe(EXIT.fail);
    expect(exitCode([outcome(caught), outcome(stuck)], 2)).toBe(EXIT.inconclusive);
    expect(exitCode([outcome(caught)], 2)).toBe(EXIT.inconclusive);
  });
});

it('is asked of one half, or of bugs by their ids, each once', () => {
  const unseen = chosenOf(['unseen'], bugs);
  expect(unseen.length).toBeGreaterThan(30);
  expect(unseen.every(({ half }) => half === 'unseen')).toBe(true);
  expect(chosenOf(['mlx-3822', 'unseen', 'mlx-3822'], bugs)).toHaveLength(unseen.length + 1);
  expect(chosenOf(['first', 'unseen'], bugs)).toHaveLength(bugs.length);
  expect(chosenOf([], bugs)).toBe(bugs);
});

it.runIf(isWhole)('is asked of a command as an author of the kernel would', async () => {
  const said = await askOfHistory('fuzz', found('tensile-102'), { common: ['--seed', '5'], runs: 3 });
  expect(said).toMatchObject({ caught: true, check: expect.any(String), on: { seed: 5 } });
  expect(said.at).toMatch(/^input=.*;m=/);
});

it.each([[['openblas-1'], {}, /Unknown historical bug "openblas-1"/]])(
  'refuses %j with %o',
  async (ids, flags, message) => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    await expect(runHistory(ids, flags)).rejects.toThrow(message);
  },
);
