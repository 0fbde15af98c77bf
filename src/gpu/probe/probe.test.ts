import { afterAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../base/errors.ts';
import { emulated } from '../../precision/arithmetic.ts';
import type { Arithmetic } from '../device.ts';
import { openNodeDevice } from '../node/open.ts';
import { ask } from './ask.ts';
import { encodeFloats } from './draws.ts';
import { judgeValues } from './judge-outcomes.ts';
import { groups, probeDevice, usedAnswers } from './probe.ts';
import type { ProbeFinding, ProbeQuestion } from './question.ts';

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

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

/** Known answers of software adapters: some answers, and all questions whose answers differ from IEEE 754. */
const known = [
  {
    driver: /SwiftShader driver 5\.0/,
    answers: {
      'f32.div': 'to nearest, ties to even: all 300 cases',
      'f32.sqrt': 'to nearest, ties to even: all 300 cases',
      'f32.two-sum.plain': 'exact',
      'f32.subnormal.operand.mul': 'flushed to zero',
      'f32.nan.unequal': 'false',
      'f16.quantize': 'toward zero: all 164 cases',
      'used.fma': 'rounds twice',
    },
    departs: [
      'f32.inverseSqrt',
      'f32.fma',
      'f32.two-product-fma.plain',
      'f32.two-product-fma.bitcast',
      'f32.two-product-fma.guarded',
      'f32.subnormal.operand.add',
      'f32.subnormal.operand.mul',
      'f32.subnormal.operand.fma',
      'f32.subnormal.operand.div',
      'f32.subnormal.operand.sqrt',
      'f32.subnormal.operand.compare',
      'f32.subnormal.result.add',
      'f32.subnormal.result.mul',
      'f32.subnormal.result.div',
      'f32.subnormal.negate',
      'f32.subnormal.max',
      'f32.nan.unequal',
      'convert.i32.nan',
      'convert.f32.u32',
      'f16.quantize',
      'f16.quantize.subnormal',
      'f16.quantize.overflow',
      'f16.pack.overflow',
      'used.fma',
      'used.subnormal.operands',
      'used.subnormal.results',
    ],
  },
  {
    driver: /Mesa 25\.0/,
    answers: {
      'f32.two-sum.plain': 'optimised away: the low part is 0',
      'f32.kahan.guarded': 'compensated, as written',
      'f32.infinity.minus-itself': '0',
      'f16.quantize': 'to nearest, ties to even: all 164 cases',
      'used.subnormal.results': 'kept',
    },
    departs: [
      'f32.inverseSqrt',
      'f32.fma',
      'f32.two-sum.plain',
      'f32.two-sum.bitcast',
      'f32.fast-two-sum.plain',
      'f32.fast-two-sum.bitcast',
      'f32.kahan.plain',
      'f32.kahan.bitcast',
      'f32.two-product-fma.plain',
      'f32.two-product-fma.bitcast',
      'f32.two-product-fma.guarded',
      'f32.infinity.minus-itself',
      'f32.nan.unequal',
      'convert.i32.nan',
      'f16.quantize.subnormal',
      'f16.convert',
      'f16.fma',
      'used.fma',
    ],
  },
];

test('every question gets one answer, and this adapter answers as it is known to', async () => {
  const answers = await probeDevice(open);
  const ids = answers.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(groups.flatMap((g) => g.questions.map(({ id }) => id))));
  expect(answers.filter(({ standing }) => standing === 'broken')).toEqual([]);
  const here = known.find(({ driver }) => driver.test(open.fingerprint.driver));
  if (here === undefined) return;
  const said = Object.fromEntries(answers.map(({ id, answer }) => [id, answer]));
  expect(said).toMatchObject(here.answers);
  const departing = answers.filter(({ standing }) => standing === 'allowed').map(({ id }) => id);
  expect(departing).toEqual(here.departs);
});

describe('a question that cannot be asked', () => {
  const question = (id: string, wgsl: string): ProbeQuestion => ({
    id,
    question: id,
    promise: 'nothing',
    wgsl,
    cases: [encodeFloats(20, 22)],
    judge: judgeValues([], 'broken'),
  });
  const good = question('good', 'return bits(x + y);');

  test('does not keep the others of its group from being asked', async () => {
    const questions = [good, question('bad', 'return nothing(x);')];
    const [first, second] = await ask(open, { name: 'some', questions });
    expect(first).toMatchObject({ answers: [{ x: 20, y: 22, value: 42 }] });
    expect(second).toMatchObject({
      refused: expect.stringMatching(/^The shader does not compile: .*nothing/),
    });
  });

  test('says so where it needs a feature', async () => {
    const feature = 'no such feature' as GPUFeatureName;
    const asked = await ask(open, { name: 'some', needs: { feature, enable: 'f16' }, questions: [good] });
    expect(asked).toEqual([{ question: good, refused: 'no such feature is not offered' }]);
  });
});

test('a device that is lost is reported, not answered for', async () => {
  const lost = await openNodeDevice({ adapter: 'software' });
  lost.device.destroy();
  await lost.device.lost;
  await expect(ask(lost, groups[0])).rejects.toMatchObject({ code: 'device-lost' });
  await expect(probeDevice(lost)).rejects.toMatchObject({ code: 'device-lost', exitCode: EXIT.inconclusive });
});
