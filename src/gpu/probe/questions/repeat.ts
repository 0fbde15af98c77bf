import { encodeFloats } from '../draws.ts';
import type { AnsweredCase, ProbeFinding, ProbeQuestion, QuestionGroup } from '../question.ts';

const COPIES = 20 * 64;

function judgeEqual(answers: readonly AnsweredCase[]): ProbeFinding {
  const results = new Set(answers.map(({ bits }) => bits)).size;
  if (results === 1) return { answer: `the same bits in all ${answers.length} copies`, standing: 'ieee' };
  return { answer: `${results} different results in ${answers.length} copies`, standing: 'allowed' };
}

const question = (id: string, question: string, wgsl: string): ProbeQuestion => ({
  id: `repeat.${id}`,
  question,
  promise: 'nothing: each evaluation may round its own way',
  wgsl: `var s = z;
  for (var i = 0u; i < v.w; i++) { ${wgsl} }
  return bits(s);`,
  cases: Array.from({ length: COPIES }, () => [...encodeFloats(1.7654321, 0.83456789, 0.1), 100]),
  judge: judgeEqual,
});

/** Questions on repeatability: whether the same computation gives the same bits in every invocation. */
export const repeatQuestions: QuestionGroup = {
  name: 'repeatability',
  questions: [
    question('sum', '100 sums and products, in 1280 invocations', 's = fma(s, -x, y) + s * y;'),
    question(
      'division',
      '100 divisions and roots, in 1280 invocations',
      's = sqrt(x + s) / (y + inverseSqrt(y + s));',
    ),
  ],
};
