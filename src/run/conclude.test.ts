import { expect, it } from 'vitest';
import { parseCase } from '../problem/case.ts';
import { describeTimeLimits } from './conclude.ts';

const plain = { ...parseCase('kernel=mine;m=520;k=530;n=540'), series: false };
const summary = {
  planned: 90,
  run: 80,
  pass: 80,
  fail: 0,
  inconclusive: 0,
  comparedWithModel: 0,
  equalToModel: 0,
  seconds: 1,
  interrupted: false,
};
const ended = { isOver: true, isCutShort: false };

it('says how many cases a pass needs, and the last of them', () => {
  const next = 'Give more time with --budget, or set a number of cases with --cases.';
  expect(describeTimeLimits(summary, { ...ended, unmet: [plain, plain] })).toEqual([
    `Time ran out after 80 of 90 cases; a pass needs 2 more cases of the core, the last of them 520×530×540. ${next}`,
  ]);
  expect(
    describeTimeLimits(
      { ...summary, interrupted: true },
      { ...ended, isOver: false, isLate: true, unmet: [plain] },
    ),
  ).toEqual([
    'Time ran out after 80 of 90 cases; a pass needs 1 more case of the core, the last of them 520×530×540. Give more time with --time-limit, or omit it.',
  ]);
  expect(describeTimeLimits(summary, { ...ended, unmet: [] })).toEqual([]);
  expect(describeTimeLimits({ ...summary, fail: 1 }, { ...ended, unmet: [plain] })).toEqual([]);
});
