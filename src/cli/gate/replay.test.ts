import { expect, test } from 'vitest';
import { filesText } from './options.ts';

test('a replay names files as they were, quoted for a shell, and their precision', () => {
  expect(filesText([], { precisions: ['f64'] })).toBe('');
  expect(filesText(['a/matmul.py#matmul'], {})).toBe('a/matmul.py#matmul ');
  expect(filesText(["it's $(x).so#f"], { precisions: ['f64'], sigmas: 3 })).toBe(
    "'it'\\''s $(x).so#f' --precision 'f64' ",
  );
});
