import { encodeFloats } from '../draws.ts';
import { allowed, ieee, judgeValues } from '../judge-outcomes.ts';
import type { ProbeQuestion, QuestionGroup } from '../question.ts';
import { operations, type RoundedOperation } from './rounding.ts';

const PROMISE = 'nothing: operands and results may be flushed to zero';

/** Builds a question that tells whether a device keeps subnormal numbers or flushes them to zero. */
function subnormal(
  id: string,
  question: string,
  { wgsl, exact }: Asked,
  ...operands: number[][]
): ProbeQuestion {
  return {
    ...{ id: `f32.subnormal.${id}`, question, promise: PROMISE, wgsl: `return bits(${wgsl});` },
    cases: operands.map((each) => encodeFloats(...each)),
    judge: judgeValues([ieee('kept', exact, 'kept'), allowed('flushed to zero', () => 0, 'flushed')]),
  };
}

type Asked = Pick<RoundedOperation, 'wgsl' | 'exact'>;
const { add, sub, mul, div, sqrt } = operations;
const fma: Asked = { wgsl: 'fma(x, y, z)', exact: ({ x, y, z }) => x * y + z };
const above: Asked = { wgsl: 'select(0.0, 1.0, x > y)', exact: () => 1 };
const negated: Asked = { wgsl: '-x', exact: ({ x }) => -x };
const size: Asked = { wgsl: 'abs(x)', exact: ({ x }) => Math.abs(x) };
const larger: Asked = { wgsl: 'max(x, y)', exact: ({ x, y }) => Math.max(x, y) };
const [LEAST, HALF] = [2 ** -149, 2 ** -127];

// Every result is exact. Questions on operands have normal results; questions on results have normal operands.
const asked: readonly ProbeQuestion[] = [
  subnormal('operand.add', 'operands of +', add, [HALF, HALF], [1.5 * HALF, 1.5 * HALF], [-HALF, -HALF]),
  subnormal(
    'operand.mul',
    'operands of ×',
    mul,
    [2 ** -130, 2 ** 40],
    [-LEAST, 2 ** 60],
    [2 ** 40, 3 * LEAST],
  ),
  subnormal('operand.fma', 'operands of fma', fma, [2 ** -130, 2 ** 40, 0], [LEAST, 2 ** 60, 0]),
  subnormal('operand.div', 'operands of ÷', div, [2 ** -130, 2 ** -40], [3 * LEAST, 2 ** -60]),
  subnormal('operand.sqrt', 'operands of sqrt', sqrt, [2 ** -130], [2 ** -148]),
  subnormal('operand.compare', 'operands of comparisons', above, [LEAST, 0], [HALF, 0], [HALF, 2 ** -128]),
  subnormal('result.add', 'results of + and −', sub, [3 * HALF, 2 * HALF], [2 * HALF, 2.5 * HALF]),
  subnormal(
    'result.mul',
    'results of ×',
    mul,
    [2 ** -100, 2 ** -40],
    [2 ** -100, -(2 ** -27)],
    [2 ** -100, 2 ** -49],
  ),
  subnormal('result.div', 'results of ÷', div, [2 ** -100, 2 ** 40], [2 ** -100, -(2 ** 27)]),
  subnormal('negate', '−x', negated, [HALF], [-LEAST]),
  subnormal('abs', 'abs(x)', size, [HALF], [-LEAST]),
  subnormal('max', 'max(x, y)', larger, [HALF, 0], [-1, LEAST]),
];

const moved: ProbeQuestion = {
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
      ieee('kept', ({ x, y, words }) => (words[2] === 0 ? x : y), 'kept'),
      allowed('flushed to zero', () => 0, 'flushed'),
    ],
    'broken',
  ),
};

/** Questions on numbers below 2^-126. */
export const subnormalQuestions: QuestionGroup = {
  name: 'subnormal numbers',
  questions: [...asked, moved],
};
