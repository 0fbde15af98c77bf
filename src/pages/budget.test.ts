import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitParts } from './budget.ts';

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
