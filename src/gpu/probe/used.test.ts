import { expect, test } from 'vitest';
import { emulated } from '../../precision/arithmetic.ts';
import type { Arithmetic } from '../device.ts';
import type { ProbeFinding } from './question.ts';
import { usedAnswers } from './used.ts';

const arithmetic: Arithmetic = {
  ...emulated,
  fma: 'once',
  subnormals: { operands: true, below: 2 ** -126 },
};

const findings = (facts: Record<string, string>): ReadonlyMap<string, ProbeFinding> =>
  new Map(
    Object.entries(facts).map(([id, fact]) => [id, { answer: `it is ${fact}`, standing: 'ieee', fact }]),
  );

const row = (id: string, facts: Record<string, string>, measured = arithmetic) =>
  usedAnswers(measured, findings(facts), { exact: true }).find((answer) => answer.id === id);

test.each([
  ['used.fma', 'f32.fma', 'fused', 'unfused', 'rounds once'],
  ['used.subnormal.operands', 'f32.subnormal.operand.mul', 'flushed', 'kept', 'flushed to zero'],
  ['used.subnormal.results', 'f32.subnormal.result.add', 'flushed', 'kept', 'flushed to zero'],
  ['used.roundoff', 'f32.mul.random', 'to nearest, ties to even', 'toward zero', '2^-24'],
  ['used.exceptions', 'f32.overflow.add', 'ieee', 'other', 'yes: they follow IEEE 754'],
])('%s stands if %s agrees', (id, asked, agrees, disagrees, said) => {
  expect(row(id, { [asked]: agrees })).toMatchObject({
    answer: said,
    standing: expect.not.stringMatching('broken'),
  });
  const doubted = `${said}, but the probe found otherwise (${asked}: it is ${disagrees})`;
  expect(row(id, { [asked]: disagrees })).toMatchObject({ answer: doubted, standing: 'broken' });
});

test('a device that does not follow IEEE 754 is what it was measured to be', () => {
  const own: Arithmetic = {
    ...arithmetic,
    fma: 'twice',
    exceptions: false,
    modeled: false,
    rounding: 'faithful',
  };
  const standings = usedAnswers(own, new Map(), { exact: false, reason: 'all is lost' }).map(
    (a) => a.standing,
  );
  expect(new Set(standings)).toEqual(new Set(['allowed']));
  const [lost] = usedAnswers(own, new Map(), { exact: false, reason: 'all is lost' }).slice(-1);
  expect(lost.answer).toBe('no: all is lost');
});
