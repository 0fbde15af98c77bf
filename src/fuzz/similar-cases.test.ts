import { expect, test } from 'vitest';
import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import { SimilarCases } from './similar-cases.ts';

const target = { kernel: 'mine', precision: 'f32' };
const resultOf = (k: number, verdict: Verdict) => {
  const text = `kernel=mine;m=1;k=${k};n=1`;
  return { case: text, kernel: 'mine', verdict, checks: [], m: 1, k, n: 1 } as unknown as CaseResult;
};

test('a shrunk case stands for the drawn one, so that groups count the judged cases', () => {
  const alike = new SimilarCases();
  const drawn = resultOf(9, 'fail');
  alike.add([{ result: resultOf(8, 'pass') }, { result: drawn }], target);
  const result = resultOf(3, 'fail');
  alike.known({ result, drawnCase: drawn.case }, target, [{ result: resultOf(4, 'pass') }]);
  const { groups } = alike.told([result]);
  expect(groups).toMatchObject([{ failing: 1, judged: 3, example: result.case }]);
});
