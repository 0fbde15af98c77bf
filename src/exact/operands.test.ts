import { expect, it } from 'vitest';
import { LineCache } from './operands.ts';

it('makes a line once, until more lines are asked for than it holds', () => {
  const made: number[] = [];
  const cache = new LineCache(2, (line) => {
    made.push(line);
    return `line ${line}`;
  });
  expect([3, 5, 3, 5].map((line) => cache.get(line))).toEqual(['line 3', 'line 5', 'line 3', 'line 5']);
  expect(made).toEqual([3, 5]);
  cache.get(7);
  cache.get(7);
  expect(made).toEqual([3, 5, 7]);
  cache.get(3);
  expect(made).toEqual([3, 5, 7, 3]);
});
