import { expect, it } from 'vitest';
import { addToExpansion, roundExpansion, roundToPair } from './expansion.ts';

const sum = (...terms: number[]) => {
  const expansion: number[] = [];
  for (const term of terms) addToExpansion(expansion, term);
  return expansion;
};

it('keeps every bit of a sum, without zeros', () => {
  expect(sum(1, 2 ** -200, 2 ** 100)).toEqual([2 ** -200, 1, 2 ** 100]);
  expect(sum(1, 2 ** -200, -1)).toEqual([2 ** -200]);
  expect(sum(0.1, -0.1)).toEqual([]);
});

const ulp = 2 ** -52;
it.each([
  ['nothing', [], 0, 0],
  ['a tie, to even', [1, ulp / 2], 1, ulp / 2],
  ['a tie, to even above', [1 + ulp, ulp / 2], 1 + 2 * ulp, -ulp / 2],
  ['a tie tipped up from far below', [1, ulp / 2, 2 ** -900], 1 + ulp, -ulp / 2],
  ['a tie tipped down from far below', [1 + ulp, ulp / 2, -(2 ** -900)], 1 + ulp, ulp / 2],
  ['a negative tie tipped away from zero', [-1, -ulp / 2, -(2 ** -300), 2 ** -600], -1 - ulp, ulp / 2],
  ['a tie below a power of two', [1, -ulp / 4], 1, -ulp / 4],
  ['the same, tipped down', [1, -ulp / 4, -(2 ** -400)], 1 - ulp / 2, ulp / 4],
])('rounds %s', (_, terms, value, low) => {
  expect(roundToPair(sum(...terms))).toEqual({ value, low });
});

it('agrees whatever the order of the terms', () => {
  const terms = [1e300, 3.5, -1e300, 2 ** -1000, 1e16, -3, 7e-17, 1e-8];
  const expected = roundExpansion(sum(...terms));
  for (let turn = 1; turn < terms.length; turn++) {
    expect(roundExpansion(sum(...terms.slice(turn), ...terms.slice(0, turn)))).toBe(expected);
  }
});
