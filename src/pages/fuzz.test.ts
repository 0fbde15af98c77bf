import { expect, test } from 'vitest';
import { plainLook } from '../report/terminal/text.ts';
import { replayText } from './fuzz.ts';

const finding = {
  ...{ case: 'kernel=mine;m=1;k=1;n=17', drawnCase: 'kernel=mine;m=19;k=19;n=19', check: 'exact' },
  ...{ message: '1 of 17 entries is wrong.', seed: 1, path: '3:3', shrinks: 9 },
};
const [gate, fuzz] = ['gate --case …', 'fuzz --path 3:3'];

test.each([
  ['new', {}, /^VIOLATION found by the check exact: kernel=mine;m=1;k=1;n=17\n {2}1 of 17/],
  ['of a saved case', { isSaved: true }, /^VIOLATION of a saved case, found by the check exact: kernel=mine/],
])('a violation %s shows its message and both commands', (_, how, start) => {
  const text = replayText(finding, { gate, fuzz, ...how }, plainLook);
  expect(text).toMatch(start);
  expect(text).toMatch(/shrunk in 9 steps from .*m=19.*\n {2}replay: gate .*\n {2}search again: fuzz/);
});

test('a saved case that the search finds again is not described again', () => {
  expect(replayText(finding, { gate, fuzz, isKnown: true }, plainLook)).toBe(
    'The search found another failing case, kernel=mine;m=19;k=19;n=19, which shrank to the saved case in 9 steps.\n  search again: fuzz --path 3:3\n',
  );
});
