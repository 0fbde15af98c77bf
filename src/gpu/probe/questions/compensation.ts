import { fma32 } from '../../../precision/modeled-arithmetic.ts';
import { drawProbeCases } from '../draws.ts';
import { allowed, ieee, judgeValues, type PossibleBehavior } from '../judge-outcomes.ts';
import type { AnsweredCase, OperandWords, ProbeQuestion, QuestionGroup } from '../question.ts';

/** An algorithm that uses the rounding errors of its own steps. `@` marks the results that a guard protects. */
interface Algorithm {
  readonly id: string;
  readonly name: string;
  readonly wgsl: string;
  readonly cases: readonly OperandWords[];
  readonly outcomes: readonly PossibleBehavior[];
}

const round = Math.fround;

const sums = drawProbeCases(60, ({ number }) => [number(0, 6), number(-12, -1)]);
const products = drawProbeCases(60, ({ number }) => [number(-6, 6), number(-6, 6)]);
const loops = drawProbeCases(20, ({ number }) => [number(0, 2), number(-27, -25)]).map((c) => [...c, 0, 64]);

const sumError = ({ x, y }: AnsweredCase): number => x + y - round(x + y);
const productError = ({ x, y }: AnsweredCase): number => x * y - round(x * y);

const exact = (gives: PossibleBehavior['gives'], say = 'exact'): PossibleBehavior =>
  ieee(say, gives, 'exact');
const zero: PossibleBehavior = allowed('optimised away: the low part is 0', () => 0, 'deleted');

const SPLIT = 4097;
const head = ({ x }: AnsweredCase): number => round(round(SPLIT * x) - round(round(SPLIT * x) - x));

/** Sources: Knuth, TAOCP 2, §4.2.2; Dekker 1971; Kahan 1965; Ogita, Rump, Oishi 2005. */
const algorithms: readonly Algorithm[] = [
  {
    id: 'two-sum',
    name: 'TwoSum',
    wgsl: 'let s = @(x + y); let t = @(s - x); return bits(@(@(x - @(s - t)) + @(y - t)));',
    cases: sums,
    outcomes: [exact(sumError), zero],
  },
  {
    id: 'fast-two-sum',
    name: 'fast TwoSum',
    wgsl: 'let s = @(x + y); return bits(@(y - @(s - x)));',
    cases: sums,
    outcomes: [exact(sumError), zero],
  },
  {
    id: 'kahan',
    name: "Kahan's sum",
    wgsl: `var s = x; var c = 0.0;
  for (var i = 0u; i < v.w; i++) { let t = @(y - c); let n = @(s + t); c = @(@(n - s) - t); s = n; }
  return bits(s);`,
    cases: loops,
    outcomes: [
      exact(kahan, 'compensated, as written'),
      allowed('optimised away: it is the plain sum', naive, 'deleted'),
    ],
  },
  {
    id: 'veltkamp',
    name: "Veltkamp's split",
    wgsl: `let c = @(${SPLIT}.0 * x); return bits(@(c - @(c - x)));`,
    cases: products,
    outcomes: [
      exact(head, 'split, as written'),
      allowed('optimised away: the high part is x', ({ x }) => x, 'deleted'),
    ],
  },
  {
    id: 'two-product-fma',
    name: 'TwoProduct by fma',
    wgsl: 'let p = @(x * y); return bits(fma(x, y, -p));',
    cases: products,
    outcomes: [
      exact(({ x, y }) => fma32(x, y, -round(x * y))),
      { ...zero, say: 'its low part is 0: fma rounds twice' },
    ],
  },
  {
    id: 'two-product',
    name: 'TwoProduct by splitting',
    wgsl: `let p = @(x * y);
  let c = @(${SPLIT}.0 * x); let h = @(c - @(c - x)); let l = @(x - h);
  let d = @(${SPLIT}.0 * y); let k = @(d - @(d - y)); let m = @(y - k);
  return bits(@(@(@(@(@(h * k) - p) + @(h * m)) + @(l * k)) + @(l * m)));`,
    cases: products,
    outcomes: [exact(productError), zero],
  },
];

function kahan({ x, y, words }: AnsweredCase): number {
  let [s, c] = [x, 0];
  for (let i = 0; i < words[3]; i++) {
    const t = round(y - c);
    const n = round(s + t);
    c = round(round(n - s) - t);
    s = n;
  }
  return s;
}

function naive({ x, y, words }: AnsweredCase): number {
  let s = x;
  for (let i = 0; i < words[3]; i++) s = round(s + y);
  return s;
}

/** The guards that may shield the results of single steps from the compiler. */
const shields = [
  { id: 'plain', by: '', call: '', promise: 'nothing: a compiler may reassociate' },
  {
    id: 'bitcast',
    by: ', through bitcasts',
    call: 'trip',
    promise: 'nothing: a bitcast and back may vanish',
  },
  {
    id: 'guarded',
    by: ', guarded',
    call: 'guard',
    promise: 'every step: a compiler cannot see through XOR with a run-time zero',
  },
] as const;

/** Questions on compensated algorithms: which survive the compiler, and in which form. */
export const compensationQuestions: QuestionGroup = {
  name: 'compensated arithmetic',
  questions: algorithms.flatMap(({ id, name, wgsl, cases, outcomes }) =>
    shields.map(
      (shield): ProbeQuestion => ({
        id: `f32.${id}.${shield.id}`,
        question: `${name}${shield.by}`,
        promise: shield.promise,
        wgsl: wgsl.replaceAll('@', shield.call),
        cases,
        judge: judgeValues(outcomes),
      }),
    ),
  ),
};
