import { fma32 } from '../../../precision/modeled-arithmetic.ts';
import { drawProbeCases, encodeFloats, numberOfBits } from '../draws.ts';
import { allowed, ieee, judgeValues } from '../judge-outcomes.ts';
import type { AnsweredCase, OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';
import { fusing, twice } from './rounding.ts';

const PROMISE = 'nothing: an expression may be fused where that is no less accurate';

type Triple = Pick<AnsweredCase, 'x' | 'y' | 'z'>;
const once = ({ x, y, z }: Triple): number => fma32(x, y, z);

/** A product and a sum. `as` maps its operands to those of x·y + z, and back. */
interface Expression {
  readonly id: string;
  readonly wgsl: string;
  readonly as: (asked: Triple) => Triple;
}

const expressions: readonly Expression[] = [
  { id: 'add', wgsl: 'x * y + z', as: (t) => t },
  { id: 'sub', wgsl: 'x * y - z', as: (t) => ({ ...t, z: -t.z }) },
  { id: 'from', wgsl: 'z - x * y', as: (t) => ({ ...t, x: -t.x }) },
];

function casesOf({ as }: Expression): readonly OperandWords[] {
  return fusing.map(([x, y, z]) => {
    const turned = as({ x: numberOfBits(x), y: numberOfBits(y), z: numberOfBits(z) });
    return encodeFloats(turned.x, turned.y, turned.z);
  });
}

const STEPS = 5;

/** The loop of a dot product. Its operands change from step to step, as in a kernel. */
const loop: ProbeQuestion = {
  id: 'f32.contract.loop',
  question: 's += x * y in a loop is contracted to fma',
  promise: PROMISE,
  wgsl: `var s = z;
  for (var i = 0u; i < v.w; i++) { s += bitcast<f32>(v.x + i) * bitcast<f32>(v.y + i); }
  return bits(s);`,
  cases: drawProbeCases(60, ({ number }) => [number(-3, 3), number(-3, 3), number(-3, 3)]).map((c) => [
    ...c,
    STEPS,
  ]),
  judge: judgeValues([
    ieee('no', (asked) => sumLoop(asked, twice), 'unfused'),
    allowed('yes: it rounds once a step', (asked) => sumLoop(asked, once), 'fused'),
  ]),
};

function sumLoop({ words: [x, y, , steps], z }: AnsweredCase, add: (triple: Triple) => number): number {
  let s = z;
  for (let i = 0; i < steps; i++) s = add({ x: numberOfBits(x + i), y: numberOfBits(y + i), z: s });
  return s;
}

const dot: ProbeQuestion = {
  id: 'f32.dot',
  question: 'rounding of dot(vec2f, vec2f)',
  promise: 'as accurate as the sum of products, in any order',
  wgsl: 'return bits(dot(vec2f(x, z), vec2f(y, bitcast<f32>(v.w))));',
  cases: drawProbeCases(60, ({ number }) => [number(-3, 3), number(-3, 3), number(-3, 3), number(-3, 3)]),
  judge: judgeValues([
    ieee('each product, then the sum', (a) => Math.fround(Math.fround(a.x * a.y) + second(a))),
    allowed('the second product, then by fma', (a) => fma32(a.x, a.y, second(a))),
    allowed('the first product, then by fma', (a) =>
      fma32(a.z, numberOfBits(a.words[3]), Math.fround(a.x * a.y)),
    ),
  ]),
};

function second({ z, words }: AnsweredCase): number {
  return Math.fround(z * numberOfBits(words[3]));
}

/** Questions on contraction: whether a compiler turns a product and a sum into an fma, expression by expression. */
export const contractionQuestions: QuestionGroup = {
  name: 'contraction',
  questions: [
    ...expressions.map((expression): ProbeQuestion => {
      const { id, wgsl, as } = expression;
      return {
        id: `f32.contract.${id}`,
        question: `${wgsl} is contracted to fma`,
        promise: PROMISE,
        wgsl: `return bits(${wgsl});`,
        cases: casesOf(expression),
        judge: judgeValues([
          ieee('no', (asked) => twice(as(asked)), 'unfused'),
          allowed('yes: it rounds once', (asked) => once(as(asked)), 'fused'),
        ]),
      };
    }),
    loop,
    dot,
  ],
};
