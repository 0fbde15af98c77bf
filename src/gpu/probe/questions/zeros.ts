import { encodeBits, encodeFloats } from '../draws.ts';
import { allowed, broken, ieee, judgeBits } from '../judge-outcomes.ts';
import type { OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';

const PROMISE = 'nothing: the sign of a zero may be ignored';
const NEGATIVE = encodeBits(-0);

function zero(
  id: string,
  question: string,
  wgsl: string,
  operands: OperandWords,
  sign: '+' | '−',
): ProbeQuestion {
  const other = sign === '+' ? '−' : '+';
  const pattern = { '+': 0, '−': NEGATIVE };
  return {
    id: `f32.zero.${id}`,
    question,
    promise: PROMISE,
    wgsl: `return bits(${wgsl});`,
    cases: [operands],
    judge: judgeBits(
      [ieee(`${sign}0`, () => pattern[sign]), allowed(`${other}0`, () => pattern[other])],
      'broken',
    ),
  };
}

/** Questions on the signs of zeros. */
export const zeroQuestions: QuestionGroup = {
  name: 'signed zeros',
  questions: [
    zero('add', '(−0) + (−0)', 'x + y', encodeFloats(-0, -0), '−'),
    zero('cancel', '1 − 1', 'x - y', encodeFloats(1, 1), '+'),
    zero('sub', '(−0) − 0', 'x - y', encodeFloats(-0, 0), '−'),
    zero('mul', '(−0) × 1', 'x * y', encodeFloats(-0, 1), '−'),
    zero('fma', 'fma(−0, 1, −0)', 'fma(x, y, z)', encodeFloats(-0, 1, -0), '−'),
    zero('negate', '−x where x is 0', '-x', encodeFloats(0), '−'),
    zero('sqrt', 'sqrt(−0)', 'sqrt(x)', encodeFloats(-0), '−'),
    zero('plus-zero', '(−0) + 0', 'x + y', encodeFloats(-0, 0), '+'),
    zero('moved', '−0 loaded and stored', 'x', encodeFloats(-0), '−'),
    {
      id: 'f32.zero.equal',
      question: '−0 == 0',
      promise: 'true',
      wgsl: 'return select(0u, 1u, x == y);',
      cases: [encodeFloats(-0, 0)],
      judge: judgeBits([ieee('true', () => 1), broken('false', () => 0)], 'broken'),
    },
  ],
};
