import { afterAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../problems.ts';
import { openNodeDevice } from '../node/open.ts';
import { ask } from './ask.ts';
import { floats } from './bits.ts';
import { groups } from './groups.ts';
import { judgeValues } from './judge-outcomes.ts';
import { probeDevice } from './probe.ts';
import type { Question } from './question.ts';

const open = await openNodeDevice({ adapter: 'software' });
afterAll(() => open.close());

/** How software adapters were found to compute, as far as they do not follow IEEE 754. */
const known = [
  {
    adapter: /SwiftShader/,
    answers: {
      'f32.div': 'to nearest, ties to even: all 300 cases',
      'f32.sqrt': 'to nearest, ties to even: all 300 cases',
      'f32.fma': 'twice: not fused',
      'f32.contract.add': 'no',
      'f32.contract.loop': 'no',
      'f32.two-sum.plain': 'exact',
      'f32.two-sum.guarded': 'exact',
      'f32.subnormal.operand.mul': 'flushed to zero',
      'f32.subnormal.result.add': 'flushed to zero',
      'f32.nan.unequal': 'false',
      'f16.quantize': 'toward zero: all 164 cases',
      'integer.dot-i8': 'exact',
      'used.fma': 'rounds twice',
    },
  },
  {
    adapter: /llvmpipe/,
    answers: {
      'f32.fma': 'twice: not fused',
      'f32.two-sum.plain': 'optimised away: the low part is 0',
      'f32.two-sum.bitcast': 'optimised away: the low part is 0',
      'f32.two-sum.guarded': 'exact',
      'f32.kahan.plain': 'optimised away: it is the plain sum',
      'f32.kahan.guarded': 'compensated, as written',
      'f32.infinity.minus-itself': '0',
      'f32.nan.unequal': 'false',
      'f32.subnormal.result.mul': 'kept',
      'f16.quantize': 'to nearest, ties to even: all 164 cases',
      'used.subnormal.results': 'kept',
    },
  },
];

test('every question gets one answer, and this adapter answers as it is known to', async () => {
  const answers = await probeDevice(open);
  const ids = answers.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(groups.flatMap((g) => g.questions.map(({ id }) => id))));
  expect(answers.filter(({ standing }) => standing === 'broken')).toEqual([]);
  const here = known.find(({ adapter }) => adapter.test(open.fingerprint.name));
  const said = Object.fromEntries(answers.map(({ id, answer }) => [id, answer]));
  expect(said).toMatchObject(here?.answers ?? {});
});

describe('a question that cannot be asked', () => {
  const question = (id: string, wgsl: string): Question => ({
    id,
    question: id,
    promise: 'nothing',
    wgsl,
    cases: [floats(20, 22)],
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
  await expect(probeDevice(lost)).rejects.toMatchObject({ code: 'device-lost', exitCode: EXIT.inconclusive });
});
