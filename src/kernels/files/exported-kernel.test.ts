import { expect, test } from 'vitest';
import { chooseKernel } from './exported-kernel.ts';

const WORDS = { what: 'function', usual: 'matmul' };
const chosen = (symbol: string | undefined, ...known: string[]) =>
  chooseKernel({ file: 'x.py', symbol }, known, WORDS);

test('the one that is named, else the usual one, else the only one', () => {
  expect(chosen('b', 'a', 'b')).toBe('b');
  expect(chosen(undefined, 'a', 'matmul')).toBe('matmul');
  expect(chosen(undefined, 'a')).toBe('a');
});

test('what there is not is told with what there is', () => {
  expect(() => chosen('matmul2', 'other', 'matmul')).toThrow(
    'The file x.py has no function "matmul2". It has matmul, other.',
  );
  expect(() => chosen(undefined, 'a', 'b')).toThrow(
    'The file x.py has several kernels: a, b. Name one, as in x.py#a.',
  );
  expect(() => chosen('a')).toThrow('The file x.py has no function.');
  const many = Array.from({ length: 20 }, (_, at) => `f${at}`);
  expect(() => chosen('f', ...many)).toThrow(/It has f0, f1, f2, f3, f4, f5, f6, f7, …\.$/);
});
