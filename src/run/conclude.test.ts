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
  mirrored: 0,
  mirrorEqual: 0,
  seconds: 1,
  interrupted: false,
};
const ended = { isOver: true, isCutShort: false };

it('names what a pass needs and was left out, and how many cases where there are too few', () => {
  const fresh = { ...plain, after: [plain] };
  const sayings = [
    { unmet: [plain] },
    { unmet: [fresh] },
    { unmet: [plain, fresh, fresh] },
    { least: 85 },
    { unmet: [] },
  ];
  expect(
    sayings.map(
      (one) =>
        describeTimeLimits(summary, { ...ended, least: 74, ...one })
          .join(' ')
          .split('; ')[1],
    ),
  ).toEqual([
    'a pass needs 520×530×540 of mine. Give more time with --budget, or set a number of cases with --cases.',
    'a pass needs 1 more fresh process. Give more time with --budget, or set a number of cases with --cases.',
    'a pass needs 520×530×540 of mine and 2 more fresh processes. Give more time with --budget, or set a number of cases with --cases.',
    'a pass needs 85. Give more time with --budget, or set a number of cases with --cases.',
    undefined,
  ]);
  expect(describeTimeLimits(summary, { ...ended, unmet: [plain] })).toEqual([]);
  expect(describeTimeLimits({ ...summary, fail: 1 }, { ...ended, unmet: [plain] })).toEqual([]);
});
