import { expect, test } from 'vitest';
import type { WorstEntry } from '../evidence/worst-entries.ts';
import { plainLook } from '../report/terminal/text.ts';
import { CHECK_SCHEMA, type CheckReport, checkText } from './checked.ts';

const report: CheckReport = {
  ...{ schema: CHECK_SCHEMA, verdict: 'fail', exitCode: 1, reason: 'Wrong.' },
  ...{ m: 1, k: 1, n: 1, batch: 1, precision: 'f32', algorithm: 'classical', checks: [] },
  ...{ worst: [], boundUsed: 0.5, sigmas: 3 },
};
const rowsOf = (...worst: WorstEntry[]) =>
  checkText({ ...report, worst }, plainLook)
    .split('\n')
    .filter((line) => /^ *\(/.test(line))
    .map((line) => line.trim().split(/ {2,}/));

test.each([
  ['only rounding hides', Math.fround(1 / 3), Math.fround(1 / 3), 1e-8, '0.3333333433', '0.3333333333'],
  ['is visible', 0.25, Math.fround(1 / 3), 0.25 - 1 / 3, '0.25', '0.333333343'],
  ['is NaN', 'NaN', 0.5, 'NaN', 'NaN', '0.5'],
  ['is infinite', 'Infinity', 0.5, 'Infinity', '∞', '0.5'],
] as const)('an error that %s is seen in the entries', (_, found, expected, error, shown, exact) => {
  const [row] = rowsOf({ i: 2, j: 3, found, expected, error, allowed: 1 });
  expect(row.slice(0, 3)).toEqual(['(2, 3)', shown, exact]);
});

test('the largest error is told in bounds, and in sigmas where operands are random', () => {
  const said = (more: Partial<CheckReport>) => checkText({ ...report, ...more }, plainLook);
  expect(said({}).replaceAll('\n', ' ')).toContain(
    'Largest error: 50.0 % of its bound, or 3 sigmas. The bound is the largest error that a correct kernel can have; a sigma is a usual error on random operands.',
  );
  expect(said({ sigmas: undefined })).toMatch(
    /Largest error: 50.0 % of its bound\. The bound is the largest error that a correct kernel can have\.$/m,
  );
});
