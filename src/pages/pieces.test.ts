import { expect, test } from 'vitest';
import { sharedNotes } from './pieces.ts';

const kernels = ['a', 'ab', 'c', 'd', 'e', 'f'];

test('notes that say the same of several kernels are one', () => {
  const notes = kernels.map((name) => `${name} was not tested with a transposed A.`);
  expect(sharedNotes(notes, kernels)).toEqual([
    'a was not tested with a transposed A. The same applies to ab, c, d and 2 more.',
  ]);
  expect(sharedNotes(notes.slice(0, 2), kernels)).toEqual([
    'a was not tested with a transposed A. The same applies to ab.',
  ]);
});

test('notes that say something else stay as they are', () => {
  const notes = [
    'a was not run on 2 of 9 shapes.',
    'ab was not run on 3 of 9 shapes.',
    'Drift is not judged.',
  ];
  expect(sharedNotes(notes, kernels)).toEqual(notes);
});
