import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { caseResult } from '../../evidence/case-result.ts';
import { withShownExamples } from './group.ts';

const example = new URL('../../../share/schemas/results.example.json', import.meta.url);
const [one] = JSON.parse(readFileSync(example, 'utf8')).cases;
const excerpt = { row: 0, col: 0, found: [[1]], expected: [[2]], difference: [[-1]] };
const failing = [3, 1, 2].map((m) => ({
  ...caseResult.parse({ ...one, case: `m=${m}`, verdict: 'fail', excerpt }),
  maps: {},
}));

test('only the example of each group keeps its entries and its pictures', () => {
  const kept = withShownExamples(failing, [{ example: 'm=1', cases: [0, 1] }]);
  expect(kept.map((result) => result.excerpt)).toEqual([undefined, excerpt, undefined]);
  expect(kept.map((result) => 'maps' in result)).toEqual([false, true, false]);
  expect(kept.map((result) => result.case)).toEqual(failing.map((result) => result.case));
  expect(kept[0]).not.toHaveProperty('excerpt');
});

test('a case of the same text in another group does not', () => {
  const twice = [...failing, failing[1]];
  const kept = withShownExamples(twice, [{ example: 'm=1', cases: [0, 3] }]);
  expect(kept.map((result) => result.excerpt !== undefined)).toEqual([false, false, false, true]);
});
