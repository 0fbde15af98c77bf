import { expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { describeLeftOut } from './omitted-cases.ts';

const text = (m: number, k: number, n: number, kernel = 'mine') => `kernel=${kernel};m=${m};k=${k};n=${n}`;
const ran = (m: number, k: number, n: number, kernel = 'mine') =>
  ({ kernel, case: text(m, k, n, kernel) }) as CaseResult;

it('says nothing of what is whole', () => {
  expect(describeLeftOut([], [])).toBeUndefined();
});

it('names the largest, and no class of sizes that another case had', () => {
  expect(describeLeftOut([text(300, 20, 20), text(10, 20, 30)], [ran(400, 30, 40), ran(20, 30, 40)])).toEqual(
    {
      sentence: '2 of 4 cases did not run: the time was up. The largest is 300×20×20.',
      unseen: undefined,
    },
  );
});

it('names the shape of a single case', () => {
  expect(describeLeftOut([text(9, 20, 20)], [ran(9, 20, 20), ran(9, 20, 20)])?.sentence).toBe(
    '1 of 3 cases, 9×20×20, did not run: the time was up.',
  );
});

it('names the classes that no case of the kernel had', () => {
  const leftOut = [text(300, 20, 20), text(2, 1, 5000, 'other')];
  const found = describeLeftOut(leftOut, [ran(30, 30, 1), ran(300, 20, 20, 'a third')]);
  expect(found?.unseen).toBe(
    'Time ran out after 2 of 4 cases; mine was not tested with m of 257–600, n of 9–256; other was not tested with m of 2–8, k of 1, n of 4097–32768. Give more time with --budget, or set a number of cases with --cases.',
  );
});

it('has a class of k met only where operands have full significands, if any of it has', () => {
  const whole = (k: number) => ({ kernel: 'mine', case: `${text(9, k, 9)};input=integers` }) as CaseResult;
  const found = describeLeftOut([text(9, 300, 9)], [whole(400)]);
  expect(found?.unseen).toContain('mine was not tested with k of 257–600 with full significands.');
  expect(describeLeftOut([`${text(9, 300, 9)};input=integers`], [whole(400)])?.unseen).toBeUndefined();
  expect(describeLeftOut([text(9, 300, 9)], [whole(3)])?.unseen).toContain('not tested with k of 257–600. ');
});
