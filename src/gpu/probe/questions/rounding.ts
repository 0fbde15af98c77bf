import { fma32 } from '../../../precision/modeled-arithmetic.ts';
import { drawProbeCases, encodeFloats, withAllSigns } from '../draws.ts';
import { grid32, judgeRounding } from '../grid.ts';
import { allowed, ieee, judgeValues } from '../judge-outcomes.ts';

import type { AnsweredCase, OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';

const ULP = 2 ** -23;
const RANDOM = 300;

// WGSL, “Floating Point Accuracy”: either neighbor is allowed.
const CORRECTLY = 'correctly rounded, in any direction';

/** Operands whose exact sum is a tie, or next to one. */
const addTies: readonly (readonly [number, number])[] = [
  [1, ULP / 2],
  [1 + ULP, ULP / 2],
  [1, (ULP / 2) * (1 + ULP)],
  [1, (ULP / 2) * (1 - ULP)],
  [1 + ULP, (ULP / 2) * (1 - ULP)],
  [1.5, ULP / 4],
  [2 - ULP, ULP / 2],
  [2 ** 24, 1],
  [2 ** 24 + 2, 1],
  [2 ** 100, 2 ** 76],
];

/** Operands whose exact product is a tie, or next to one. */
const mulTies: readonly (readonly [number, number])[] = [
  [1 + 2 ** -12, 1 + 2 ** -12],
  [1 + 2 ** -12, 1 + 3 * 2 ** -12],
  [1 + ULP, 1.5],
  [1 + 3 * ULP, 1.5],
  [1 + ULP, 1 - ULP / 2],
  [1 + ULP, 1 + ULP],
  [2 - ULP, 2 - ULP],
  [3, 2 ** 23 + 1],
];

/** An operation in WGSL, and its result before rounding. */
export interface RoundedOperation {
  readonly id: string;
  readonly sign: string;
  readonly wgsl: string;
  readonly exact: (asked: AnsweredCase) => number;
}

export const operations = {
  add: { id: 'add', sign: '+', wgsl: 'x + y', exact: ({ x, y }: AnsweredCase) => x + y },
  sub: { id: 'sub', sign: '−', wgsl: 'x - y', exact: ({ x, y }: AnsweredCase) => x - y },
  mul: { id: 'mul', sign: '×', wgsl: 'x * y', exact: ({ x, y }: AnsweredCase) => x * y },
  div: { id: 'div', sign: '÷', wgsl: 'x / y', exact: ({ x, y }: AnsweredCase) => x / y },
  sqrt: { id: 'sqrt', sign: '√', wgsl: 'sqrt(x)', exact: ({ x }: AnsweredCase) => Math.sqrt(x) },
} satisfies Record<string, RoundedOperation>;

function rounding(
  id: string,
  question: string,
  { wgsl, exact }: Pick<RoundedOperation, 'wgsl' | 'exact'>,
  cases: readonly OperandWords[],
  promise = CORRECTLY,
  within = 1,
): ProbeQuestion {
  const judge = judgeRounding({ grid: grid32, exact, within });
  return { id, question, promise, wgsl: `return bits(${wgsl});`, cases, judge };
}

const ties = (operation: RoundedOperation, cases: readonly (readonly [number, number])[]) =>
  rounding(
    `f32.${operation.id}.ties`,
    `rounding of ${operation.sign} at and beside ties`,
    operation,
    withAllSigns(cases),
  );

// Exponents are so close that a double holds the sum.
const summands = drawProbeCases(RANDOM, ({ number }) => [number(-10, 10), number(-10, 10)]);
const factors = drawProbeCases(RANDOM, ({ number }) => [number(-40, 40), number(-40, 40)]);
const positive = drawProbeCases(RANDOM, ({ number }) => [Math.abs(number(-60, 60))]);

const random = (operation: RoundedOperation, cases: readonly OperandWords[]) =>
  rounding(
    `f32.${operation.id}.random`,
    `rounding of ${operation.sign} for random operands`,
    operation,
    cases,
  );

/** Cases whose result depends on whether the product is rounded first, and cases without cancellation. */
export const fusing: readonly OperandWords[] = [
  encodeFloats(1 + 2 ** -12, 1 + 2 ** -12, -(1 + 2 ** -11)),
  encodeFloats(1 + ULP, 1 - ULP / 2, -1),
  ...drawProbeCases(80, ({ number }) => {
    const [x, y] = [number(-9, 9), number(-9, 9)];
    return [x, y, -Math.fround(x * y)];
  }),
  ...drawProbeCases(40, ({ number }) => [number(-9, 9), number(-9, 9), number(-9, 9)]),
];

/** Returns x·y + z, rounded after the product and after the sum. */
export function twice({ x, y, z }: Pick<AnsweredCase, 'x' | 'y' | 'z'>): number {
  return Math.fround(Math.fround(x * y) + z);
}

/** Questions on the rounding of binary32's + − × ÷ √ and fma. */
export const roundingQuestions: QuestionGroup = {
  name: 'rounding of f32',
  questions: [
    ties(operations.add, addTies),
    ties(operations.sub, addTies),
    ties(operations.mul, mulTies),
    random(operations.add, summands),
    random(operations.sub, summands),
    random(operations.mul, factors),
    rounding(
      'f32.div',
      'rounding of x / y',
      operations.div,
      factors,
      'at most 2.5 ulp off, for |y| from 2^-126 to 2^126',
      2.5,
    ),
    rounding(
      'f32.reciprocal',
      'rounding of 1 / x',
      { wgsl: '1.0 / x', exact: ({ x }) => 1 / x },
      factors,
      'at most 2.5 ulp off, for |x| from 2^-126 to 2^126',
      2.5,
    ),
    rounding(
      'f32.sqrt',
      'rounding of sqrt(x)',
      operations.sqrt,
      positive,
      // An error of 2 ulp of inverseSqrt is up to 4 ulp where the significand doubles, and the division adds 2.5.
      'as accurate as 1 / inverseSqrt(x): at most 6.5 ulp off',
      6.5,
    ),
    rounding(
      'f32.inverseSqrt',
      'rounding of inverseSqrt(x)',
      { wgsl: 'inverseSqrt(x)', exact: ({ x }) => 1 / Math.sqrt(x) },
      positive,
      'at most 2 ulp off',
      2,
    ),
    {
      id: 'f32.fma',
      question: 'roundings of fma(x, y, z)',
      promise: 'as accurate as x * y + z: it may round twice',
      wgsl: 'return bits(fma(x, y, z));',
      cases: fusing,
      judge: judgeValues([
        ieee('once: fused', ({ x, y, z }) => fma32(x, y, z), 'fused'),
        allowed('twice: not fused', twice, 'unfused'),
      ]),
    },
  ],
};
