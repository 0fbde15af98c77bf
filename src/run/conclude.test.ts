import { expect, it } from 'vitest';
import type { Inspection } from '../inspect/inspection.ts';
import { parseCase } from '../problem/case.ts';
import { describeTimeLimits, removePraise } from './conclude.ts';

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

it('says how many of the cases that a pass needs did not run', () => {
  const next = 'Give more time with --budget, or set a number of cases with --cases.';
  expect(describeTimeLimits(summary, { ...ended, unmet: [plain, plain], needed: 97 })).toEqual([
    `Time ran out after 80 of 90 cases; a pass needs the 97 core cases, of which only 95 ran. ${next}`,
  ]);
  expect(
    describeTimeLimits(
      { ...summary, interrupted: true },
      { ...ended, isOver: false, isLate: true, unmet: [plain], needed: 1 },
    ),
  ).toEqual([
    'Time ran out after 80 of 90 cases; a pass needs the 1 core case, which did not run. Give more time with --time-limit, or omit it.',
  ]);
  expect(describeTimeLimits(summary, { ...ended, unmet: [] })).toEqual([]);
  expect(describeTimeLimits({ ...summary, fail: 1 }, { ...ended, unmet: [plain] })).toEqual([]);
});

const finding = (id: string, value: string | boolean, answer: string) => ({
  ...{ id, value, answer },
  ...{ question: `${id}?`, confidence: 'measured' as const, evidence: '64 products.' },
});
const inspection: Inspection = {
  ...{ kernel: 'mine', precision: 'f32', quick: true, seed: 1, products: 64, seconds: 1 },
  findings: [
    finding('multiplies', true, 'yes'),
    finding('order', 'sequential', 'sequential'),
    finding('grade', 'A', 'A: small'),
  ],
  measures: { multiplies: true, order: 'sequential', grade: 'A' },
};

it('a kernel that fails is not praised for the products that were asked', () => {
  const cases = [
    { kernel: 'mine', verdict: 'fail' },
    { kernel: 'other', verdict: 'fail' },
    { kernel: 'mine', verdict: 'pass' },
  ] as const;
  const [found] = removePraise([inspection], cases);
  expect(found.measures).toEqual({ order: 'sequential' });
  expect(found.findings.map(({ answer, confidence }) => [answer, confidence])).toEqual([
    ['withheld: 1 case of the gate failed', 'unknown'],
    ['sequential', 'measured'],
    ['withheld: 1 case of the gate failed', 'unknown'],
  ]);
});

it('blame stays, and so does all that is said of a kernel that passes', () => {
  expect(removePraise([inspection], [{ kernel: 'mine', verdict: 'inconclusive' }])).toEqual([inspection]);
  const blamed = { ...inspection, findings: [finding('grade', 'none', 'none: larger')] };
  const [found] = removePraise([blamed], [{ kernel: 'mine', verdict: 'fail' }]);
  expect(found.findings).toEqual(blamed.findings);
});
