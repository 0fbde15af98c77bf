import { MAX32 } from '../../../precision/modeled-arithmetic.ts';
import { encodeBits, encodeFloats } from '../draws.ts';
import { allowed, broken, ieee, judgeBits, judgeValues, type PossibleBehavior } from '../judge-outcomes.ts';
import type { OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';

const PROMISE = 'nothing: compilers may assume that neither infinity nor NaN occurs';
const INF = Number.POSITIVE_INFINITY;

const infinity: PossibleBehavior = ieee('infinity', () => INF, 'ieee');
const nan: PossibleBehavior = ieee('NaN', () => Number.NaN, 'ieee');
const theNumber: PossibleBehavior = ieee('y', ({ y }) => y, 'ieee');

/** Other answers that devices give. */
const others: readonly PossibleBehavior[] = (
  [
    ['0', 0],
    ['1', 1],
    ['the largest finite number', MAX32],
    ['infinity', INF],
    ['NaN', Number.NaN],
  ] as const
).map(([say, result]) => allowed(say, () => result, 'other'));

function value(
  id: string,
  question: string,
  wgsl: string,
  cases: readonly OperandWords[],
  wanted: PossibleBehavior,
): ProbeQuestion {
  const judge = judgeValues([wanted, ...others]);
  return { id: `f32.${id}`, question, promise: PROMISE, wgsl: `return bits(${wgsl});`, cases, judge };
}

function truth(
  id: string,
  question: string,
  wgsl: string,
  cases: readonly OperandWords[],
  wanted: boolean,
): ProbeQuestion {
  const outcomes: PossibleBehavior[] = [
    ieee(wanted ? 'true' : 'false', () => Number(wanted), 'ieee'),
    allowed(wanted ? 'false' : 'true', () => Number(!wanted), 'other'),
  ];
  const judge = judgeBits(outcomes, 'allowed');
  return {
    id: `f32.${id}`,
    question,
    promise: PROMISE,
    wgsl: `return select(0u, 1u, ${wgsl});`,
    cases,
    judge,
  };
}

const NAN = 0x7fc00000;
const withNan: readonly OperandWords[] = [
  [NAN, encodeBits(1)],
  [0xffc00001, encodeBits(-2)],
];

/** Questions on overflow, infinities and NaN. */
export const exceptionQuestions: QuestionGroup = {
  name: 'infinities and NaN',
  questions: [
    value(
      'overflow.add',
      'a sum that overflows',
      'x + y',
      [encodeFloats(MAX32, MAX32), encodeFloats(MAX32, 2 ** 103)],
      infinity,
    ),
    value(
      'overflow.mul',
      'a product that overflows',
      'x * y',
      [encodeFloats(MAX32, 2), encodeFloats(2 ** 64, 2 ** 64)],
      infinity,
    ),
    value(
      'overflow.fma',
      'an fma that overflows',
      'fma(x, y, z)',
      [encodeFloats(2 ** 64, 2 ** 64, 1)],
      infinity,
    ),
    value('infinity.add', 'infinity + 1', 'x + y', [encodeFloats(INF, 1)], infinity),
    value('infinity.mul', 'infinity × 2', 'x * y', [encodeFloats(INF, 2)], infinity),
    value('divide-by-zero', '1 / 0', 'x / y', [encodeFloats(1, 0)], infinity),
    value('infinity.minus-infinity', 'infinity − infinity', 'x - y', [encodeFloats(INF, INF)], nan),
    value(
      'infinity.minus-itself',
      'x − x where x is infinite',
      'x - x',
      [encodeFloats(INF), encodeFloats(-INF)],
      nan,
    ),
    value('infinity.times-zero', '0 × infinity', 'x * y', [encodeFloats(0, INF), encodeFloats(INF, 0)], nan),
    value('zero-by-zero', '0 / 0', 'x / y', [encodeFloats(0, 0)], nan),
    value('sqrt-negative', 'sqrt(−1)', 'sqrt(x)', [encodeFloats(-1)], nan),
    value('nan.add', 'NaN + 1', 'x + y', withNan, nan),
    value('nan.mul', 'NaN × 0', 'x * z', withNan, nan),
    value('nan.fma', 'fma with NaN', 'fma(y, y, x)', withNan, nan),
    value('nan.min', 'min(NaN, y)', 'min(x, y)', withNan, theNumber),
    value('nan.max', 'max(y, NaN)', 'max(y, x)', withNan, theNumber),
    truth('nan.unequal', 'x != x where x is NaN', 'x != x', withNan, true),
    truth('nan.equal', 'x == x where x is NaN', 'x == x', withNan, false),
    truth('nan.less', 'x < y where x is NaN', 'x < y', withNan, false),
    truth('nan.greater', 'x >= y where x is NaN', 'x >= y', withNan, false),
    truth(
      'infinity.greatest',
      'infinity > the largest finite number',
      'x > y',
      [encodeFloats(INF, MAX32)],
      true,
    ),
    {
      ...truth('nan.by-bits', 'NaN told by its bits', '(v.x & 0x7fffffffu) > 0x7f800000u', withNan, true),
      promise: 'exact: integer operations on bits',
    },
  ],
};

const PROMISE_OF_ZEROS = 'nothing: the sign of a zero may be ignored';
const NEGATIVE_ZERO = encodeBits(-0);

function zero(
  id: string,
  question: string,
  wgsl: string,
  operands: OperandWords,
  sign: '+' | '−',
): ProbeQuestion {
  const other = sign === '+' ? '−' : '+';
  const pattern = { '+': 0, '−': NEGATIVE_ZERO };
  return {
    id: `f32.zero.${id}`,
    question,
    promise: PROMISE_OF_ZEROS,
    wgsl: `return bits(${wgsl});`,
    cases: [operands],
    judge: judgeBits(
      [ieee(`${sign}0`, () => pattern[sign]), allowed(`${other}0`, () => pattern[other])],
      'broken',
    ),
  };
}

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
