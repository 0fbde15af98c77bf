import { describe, expect, it } from 'vitest';
import { fuzzVerdict, mergeFuzz } from './merge-fuzz.ts';
import type { FuzzResult, Results } from './results.ts';

const finding = (text: string, check = 'exact') => ({
  ...{
    case: `kernel=${text};m=1;k=1;n=1`,
    drawnCase: '',
    check,
    message: '',
    seed: 1,
    path: '3',
    shrinks: 2,
  },
});
const champion = (kernel: string, value: number, objective = 'sigmas') => ({
  ...{ case: `kernel=${kernel};m=1;k=1;n=${value}`, objective, value, replay: '' },
});
const one: FuzzResult = {
  ...{ maxSize: 64, runs: 100, corpus: 3 },
  coverage: {
    counts: { shape: { square: 2, thin: 1 }, edit: { none: 3 } },
    exponents: { a: { least: -3, largest: 5 }, b: { least: 0, largest: 1 } },
  },
  findings: [finding('x'), finding('y')],
  champions: [champion('x', 3), champion('y', 5)],
};
const other: FuzzResult = {
  ...{ maxSize: 64, runs: 100, corpus: 3 },
  coverage: {
    counts: { shape: { square: 1, fat: 4 }, layout: { nn: 1 } },
    exponents: { a: { least: -1, largest: 9 }, c: { least: 2, largest: 2 } },
  },
  findings: [finding('y'), finding('y', 'sigma'), finding('z')],
  champions: [champion('x', 4), champion('y', 1), champion('y', 1, 'bound')],
};

describe('the shards of a fuzz campaign', () => {
  it('have between them all they saw, each violation once, and the largest errors', () => {
    expect(mergeFuzz([one, other])).toEqual({
      ...{ maxSize: 64, runs: 100, corpus: 3 },
      coverage: {
        counts: { shape: { square: 3, thin: 1, fat: 4 }, edit: { none: 3 }, layout: { nn: 1 } },
        exponents: {
          a: { least: -3, largest: 9 },
          b: { least: 0, largest: 1 },
          c: { least: 2, largest: 2 },
        },
      },
      findings: [finding('x'), finding('y'), finding('y', 'sigma'), finding('z')],
      champions: [champion('y', 5), champion('x', 4), champion('y', 1, 'bound')],
    });
    expect(mergeFuzz([one])).toEqual(one);
  });

  const summary = { run: 10, pass: 8, inconclusive: 2 };
  const run = (verdict: Results['verdict'], reason = '') => ({ verdict, reason, summary }) as Results;
  it.each([
    [['pass', 'pass'], 0, undefined, 'pass', 'No violation in 16 judged cases; 4 more could not be judged.'],
    [['pass', 'inconclusive'], 0, undefined, 'inconclusive', 'Because.'],
    [
      ['pass', 'fail', 'inconclusive'],
      2,
      undefined,
      'fail',
      '2 violations were found, each of which ends a search; 30 cases ran.',
    ],
    [
      ['fail'],
      1,
      'Shard 2 of 2 is missing.',
      'fail',
      'A violation was found, which ends a search; 10 cases ran. Shard 2 of 2 is missing.',
    ],
    [['pass'], 0, 'Shard 2 of 2 is missing.', 'inconclusive', 'Shard 2 of 2 is missing.'],
  ] as const)('that come out as %j', (verdicts, findings, missing, verdict, reason) => {
    const runs = verdicts.map((each) => run(each, 'Because.'));
    expect(fuzzVerdict(runs, findings, missing)).toEqual({ verdict, reason });
  });
});
