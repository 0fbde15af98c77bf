import { floats } from '../bits.ts';
import { judgeValues } from '../judge-outcomes.ts';
import type { Answered, Group, Operands, Question } from '../question.ts';

const PROMISE = 'nothing: operands and results may be flushed to zero';

interface Ask {
  readonly id: string;
  readonly question: string;
  readonly wgsl: string;
  readonly kept: (asked: Answered) => number;
  readonly cases: readonly Operands[];
}

// Every result is exact; what is asked of operands has a normal result, what is asked of results normal operands.
const asks: readonly Ask[] = [
  {
    id: 'operand.add',
    question: 'operands of +',
    wgsl: 'return bits(x + y);',
    kept: ({ x, y }) => x + y,
    cases: [
      floats(2 ** -127, 2 ** -127),
      floats(1.5 * 2 ** -127, 1.5 * 2 ** -127),
      floats(-(2 ** -127), -(2 ** -127)),
    ],
  },
  {
    id: 'operand.mul',
    question: 'operands of ×',
    wgsl: 'return bits(x * y);',
    kept: ({ x, y }) => x * y,
    cases: [floats(2 ** -130, 2 ** 40), floats(-(2 ** -149), 2 ** 60), floats(2 ** 40, 3 * 2 ** -149)],
  },
  {
    id: 'operand.fma',
    question: 'operands of fma',
    wgsl: 'return bits(fma(x, y, z));',
    kept: ({ x, y, z }) => x * y + z,
    cases: [floats(2 ** -130, 2 ** 40, 0), floats(2 ** -149, 2 ** 60, 0)],
  },
  {
    id: 'operand.div',
    question: 'operands of ÷',
    wgsl: 'return bits(x / y);',
    kept: ({ x, y }) => x / y,
    cases: [floats(2 ** -130, 2 ** -40), floats(3 * 2 ** -149, 2 ** -60)],
  },
  {
    id: 'operand.sqrt',
    question: 'operands of sqrt',
    wgsl: 'return bits(sqrt(x));',
    kept: ({ x }) => Math.sqrt(x),
    cases: [floats(2 ** -130), floats(2 ** -148)],
  },
  {
    id: 'operand.compare',
    question: 'operands of comparisons',
    wgsl: 'return bits(select(0.0, 1.0, x > y));',
    kept: () => 1,
    cases: [floats(2 ** -149, 0), floats(2 ** -127, 0), floats(2 ** -127, 2 ** -128)],
  },
  {
    id: 'result.add',
    question: 'results of + and −',
    wgsl: 'return bits(x - y);',
    kept: ({ x, y }) => x - y,
    cases: [floats(1.5 * 2 ** -126, 2 ** -126), floats(2 ** -126, 1.25 * 2 ** -126)],
  },
  {
    id: 'result.mul',
    question: 'results of ×',
    wgsl: 'return bits(x * y);',
    kept: ({ x, y }) => x * y,
    cases: [floats(2 ** -100, 2 ** -40), floats(2 ** -100, -(2 ** -27)), floats(2 ** -100, 2 ** -49)],
  },
  {
    id: 'result.div',
    question: 'results of ÷',
    wgsl: 'return bits(x / y);',
    kept: ({ x, y }) => x / y,
    cases: [floats(2 ** -100, 2 ** 40), floats(2 ** -100, -(2 ** 27))],
  },
  {
    id: 'negate',
    question: '−x',
    wgsl: 'return bits(-x);',
    kept: ({ x }) => -x,
    cases: [floats(2 ** -127), floats(-(2 ** -149))],
  },
  {
    id: 'abs',
    question: 'abs(x)',
    wgsl: 'return bits(abs(x));',
    kept: ({ x }) => Math.abs(x),
    cases: [floats(2 ** -127), floats(-(2 ** -149))],
  },
  {
    id: 'max',
    question: 'max(x, y)',
    wgsl: 'return bits(max(x, y));',
    kept: ({ x, y }) => Math.max(x, y),
    cases: [floats(2 ** -127, 0), floats(-1, 2 ** -149)],
  },
];

const moved: Question = {
  id: 'f32.subnormal.moved',
  question: 'subnormal numbers that are only loaded and stored',
  promise: 'kept by loads and stores; bitcast may flush them',
  wgsl: 'var a = array<f32, 2>(x, y); return bits(a[v.z & 1u]);',
  cases: [
    [1, 2, 0],
    [0x007fffff, 1, 0],
    [1, 0x807fffff, 1],
  ],
  judge: judgeValues(
    [
      { say: 'kept', standing: 'ieee', fact: 'kept', gives: ({ x, y, words }) => (words[2] === 0 ? x : y) },
      { say: 'flushed to zero', standing: 'allowed', fact: 'flushed', gives: () => 0 },
    ],
    'broken',
  ),
};

/** What happens to numbers below 2^-126. */
export const subnormalQuestions: Group = {
  name: 'subnormal numbers',
  questions: [
    ...asks.map(
      ({ id, question, wgsl, kept, cases }): Question => ({
        id: `f32.subnormal.${id}`,
        question,
        promise: PROMISE,
        wgsl,
        cases,
        judge: judgeValues(
          [
            { say: 'kept', standing: 'ieee', fact: 'kept', gives: kept },
            { say: 'flushed to zero', standing: 'allowed', fact: 'flushed', gives: () => 0 },
          ],
          'allowed',
        ),
      }),
    ),
    moved,
  ],
};
