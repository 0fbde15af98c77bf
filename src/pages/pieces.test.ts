import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitParts, sharedNotes } from './pieces.ts';

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

const lines = (count: number) => new Array(count).fill('');
const part = (...lengths: number[]) => ({ versions: lengths.map(lines) });

test('every part is told in short before one is told in full', () => {
  expect(fitParts([part(2, 5), part(2, 9)], 4)).toEqual([0, 0]);
  expect(fitParts([part(2, 5), part(2, 9)], 7)).toEqual([1, 0]);
  expect(fitParts([part(2, 5), part(2, 9)], 14)).toEqual([1, 1]);
});

test('what there is no room for is left out, and a smaller one after it is not', () => {
  expect(fitParts([part(3), part(2)], 2)).toEqual([-1, 0]);
  expect(fitParts([part(4, 9), part(1, 2)], 3)).toEqual([-1, 1]);
  expect(fitParts([part()], 9)).toEqual([-1]);
});

test('nothing ever exceeds the room', () => {
  const lengths = fc.array(fc.array(fc.nat(9), { maxLength: 3 }).map((all) => all.sort((x, y) => x - y)));
  fc.assert(
    fc.property(lengths, fc.integer({ min: -3, max: 40 }), (all, room) => {
      const parts = all.map((one) => part(...one));
      const used = fitParts(parts, room).reduce(
        (sum, version, at) => sum + (parts[at].versions[version]?.length ?? 0),
        0,
      );
      expect(used).toBeLessThanOrEqual(Math.max(0, room));
    }),
  );
});
