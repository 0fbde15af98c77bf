import { bitsOf, floats } from '../bits.ts';
import { allowed, broken, ieee, judgeBits } from '../judge-outcomes.ts';
import type { Group, Operands, Question } from '../question.ts';

const PROMISE = 'nothing: the sign of a zero may be ignored';
const NEGATIVE = bitsOf(-0);

function zero(id: string, question: string, wgsl: string, operands: Operands, sign: '+' | '−'): Question {
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
export const zeroQuestions: Group = {
  name: 'signed zeros',
  questions: [
    zero('add', '(−0) + (−0)', 'x + y', floats(-0, -0), '−'),
    zero('cancel', '1 − 1', 'x - y', floats(1, 1), '+'),
    zero('sub', '(−0) − 0', 'x - y', floats(-0, 0), '−'),
    zero('mul', '(−0) × 1', 'x * y', floats(-0, 1), '−'),
    zero('fma', 'fma(−0, 1, −0)', 'fma(x, y, z)', floats(-0, 1, -0), '−'),
    zero('negate', '−x where x is 0', '-x', floats(0), '−'),
    zero('sqrt', 'sqrt(−0)', 'sqrt(x)', floats(-0), '−'),
    zero('plus-zero', '(−0) + 0', 'x + y', floats(-0, 0), '+'),
    zero('moved', '−0 loaded and stored', 'x', floats(-0), '−'),
    {
      id: 'f32.zero.equal',
      question: '−0 == 0',
      promise: 'true',
      wgsl: 'return select(0u, 1u, x == y);',
      cases: [floats(-0, 0)],
      judge: judgeBits([ieee('true', () => 1), broken('false', () => 0)], 'broken'),
    },
  ],
};
