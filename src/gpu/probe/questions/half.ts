import { f16 } from '../../../precision/format.ts';
import { drawProbeCases, encodeFloats, numberOf16 } from '../draws.ts';
import { grid16, judgeRounding } from '../grid.ts';
import { allowed, ieee, judgeValues } from '../judge-outcomes.ts';

import type { AnsweredCase, OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';
import { narrowed } from './conversions.ts';

const CORRECTLY = 'correctly rounded, in any direction';
const OPERANDS = 'let a = f16(x); let b = f16(y); let c = f16(z);';

// Operands have 11 bits, so that their conversion is exact, and all results are normal.
const pairs = drawProbeCases(200, ({ number }) => [number(-4, 4, 11), number(-4, 4, 11)]);
const summands = drawProbeCases(200, ({ number }) => [number(3, 8, 11), number(3, 8, 11)]);
const positive = drawProbeCases(100, ({ number }) => [Math.abs(number(-12, 12, 11))]);
/** Sums that cancel to the error of the product, which is normal too, and sums that do not cancel. */
const productsAndSums: readonly OperandWords[] = [
  ...drawProbeCases(80, ({ number }) => {
    const [x, y] = [number(4, 6, 11), number(4, 6, 11)];
    return [x, y, -f16.round(x * y)];
  }),
  ...drawProbeCases(40, ({ number }) => [number(4, 6, 11), number(4, 6, 11), number(8, 13, 11)]),
];

function rounds(
  id: string,
  question: string,
  wgsl: string,
  cases: readonly OperandWords[],
  exact: (asked: AnsweredCase) => number,
  promise = CORRECTLY,
  within = 1,
): ProbeQuestion {
  const judge = judgeRounding({ grid: grid16, within, exact });
  return { id: `f16.${id}`, question, promise, wgsl: `${OPERANDS} return bits(f32(${wgsl}));`, cases, judge };
}

function fusing(
  id: string,
  question: string,
  wgsl: string,
  standings: readonly ['ieee' | 'allowed', 'ieee' | 'allowed'],
): ProbeQuestion {
  return {
    id: `f16.${id}`,
    question,
    promise: 'nothing: it may round once or twice',
    wgsl: `${OPERANDS} return bits(f32(${wgsl}));`,
    cases: productsAndSums,
    judge: judgeValues([
      {
        say: 'once: fused',
        standing: standings[0],
        fact: 'fused',
        gives: ({ x, y, z }) => f16.round(x * y + z),
      },
      {
        say: 'twice: not fused',
        standing: standings[1],
        fact: 'unfused',
        gives: ({ x, y, z }) => f16.round(f16.round(x * y) + z),
      },
      allowed('not at all: computed in f32 and kept so', ({ x, y, z }) => Math.fround(x * y + z), 'wider'),
    ]),
  };
}

function subnormal(
  id: string,
  question: string,
  wgsl: string,
  cases: readonly OperandWords[],
  exact: (asked: AnsweredCase) => number,
): ProbeQuestion {
  return {
    id: `f16.subnormal.${id}`,
    question,
    promise: 'nothing: they may be flushed to zero',
    wgsl: `${OPERANDS} return bits(f32(${wgsl}));`,
    cases,
    judge: judgeValues([ieee('kept', exact, 'kept'), allowed('flushed to zero', () => 0, 'flushed')]),
  };
}

/** Questions on native binary16, for devices that have it. */
export const halfQuestions: QuestionGroup = {
  name: 'arithmetic of f16',
  needs: { feature: 'shader-f16', enable: 'f16' },
  questions: [
    rounds('convert', 'rounding of f16(x)', 'a', narrowed, ({ x }) => x),
    rounds('add', 'rounding of +', 'a + b', summands, ({ x, y }) => x + y),
    rounds('sub', 'rounding of −', 'a - b', summands, ({ x, y }) => x - y),
    rounds('mul', 'rounding of ×', 'a * b', pairs, ({ x, y }) => x * y),
    {
      id: 'f16.mul.stored',
      question: 'rounding of × when it leaves as 16 bits',
      promise: CORRECTLY,
      wgsl: `${OPERANDS} return bitcast<u32>(vec2h(a * b, c));`,
      cases: pairs,
      judge: judgeRounding({
        grid: grid16,
        within: 1,
        exact: ({ x, y }) => x * y,
        read: (bits) => numberOf16(bits & 0xffff),
      }),
    },
    rounds(
      'div',
      'rounding of ÷',
      'a / b',
      pairs,
      ({ x, y }) => x / y,
      'at most 2.5 ulp off, for |y| from 2^-14 to 2^14',
      2.5,
    ),
    rounds(
      'sqrt',
      'rounding of sqrt',
      'sqrt(a)',
      positive,
      ({ x }) => Math.sqrt(x),
      'as accurate as 1 / inverseSqrt(x)',
      6.5,
    ),
    fusing('fma', 'roundings of fma(a, b, c)', 'fma(a, b, c)', ['ieee', 'allowed']),
    fusing('contract', 'roundings of a * b + c', 'a * b + c', ['allowed', 'ieee']),
    subnormal(
      'operand',
      'subnormal operands of ×',
      'a * b',
      [encodeFloats(2 ** -20, 2 ** 10), encodeFloats(2 ** -24, 2 ** 12)],
      ({ x, y }) => x * y,
    ),
    subnormal(
      'result',
      'subnormal results of ×',
      'a * b',
      [encodeFloats(2 ** -10, 2 ** -10), encodeFloats(2 ** -14, 2 ** -8)],
      ({ x, y }) => x * y,
    ),
    {
      id: 'f16.overflow',
      question: 'a sum that overflows',
      promise: 'nothing: compilers may assume that neither infinity nor NaN occurs',
      wgsl: `${OPERANDS} return bits(f32(a + b));`,
      cases: [encodeFloats(60000, 60000), encodeFloats(65504, 32)],
      judge: judgeValues([
        ieee('infinity', () => Number.POSITIVE_INFINITY),
        allowed('the largest finite f16', () => 65504),
        allowed('kept wider than f16', ({ x, y }) => x + y),
      ]),
    },
  ],
};
