import { expect, it } from 'vitest';
import { describeSkipped } from './omitted-cases.ts';

const text = (m: number, k: number, n: number) => `kernel=mine;m=${m};k=${k};n=${n}`;

it('says nothing where all cases ran', () => {
  expect(describeSkipped([], 3)).toBeUndefined();
});

it('names the largest case, or the only one', () => {
  expect(describeSkipped([text(300, 20, 20), text(10, 20, 30)], 2)).toBe(
    '2 of 4 cases did not run: the time was up. The largest is 300×20×20.',
  );
  expect(describeSkipped([text(9, 20, 20)], 2)).toBe('1 of 3 cases, 9×20×20, did not run: the time was up.');
});
