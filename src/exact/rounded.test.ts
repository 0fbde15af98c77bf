import { expect, it } from 'vitest';
import { emptyTally } from './exact-product.ts';
import { requireCounted, requireRounded } from './rounded.ts';

const shape = { m: 2, k: 3, n: 4 };
const judge = (value: number, low: number, isSpecial = false) =>
  requireRounded(shape, 1, 2, value, low, (i, j) => i === 1 && j === 2 && isSpecial);

it('an entry is rounded where its remainder is half a unit in its last place at most', () => {
  for (const [value, half] of [
    [1, 2 ** -53],
    [-1.75, 2 ** -53],
    [2, 2 ** -52],
    [0.75, 2 ** -54],
  ]) {
    for (const low of [0, half, -half]) expect(judge(value, low)).toBe(false);
    for (const low of [half * (1 + 2 ** -52), -2 * half, Number.NaN])
      expect(() => judge(value, low)).toThrow(
        `the exact product of 2×3 by 3×4 is wrong: entry (1, 2) is ${value} with the remainder ${low}. No measurement against it counts`,
      );
  }
  expect(() => judge(0, 0)).toThrow('entry (1, 2) is 0 with the remainder 0');
});

it('an infinite entry counts unless an operand is so, and NaN needs one', () => {
  expect([judge(Infinity, 0), judge(-Infinity, 0)]).toEqual([true, true]);
  expect([judge(Infinity, 0, true), judge(Number.NaN, 0, true)]).toEqual([false, false]);
  expect(() => judge(Number.NaN, 0)).toThrow('entry (1, 2) is NaN although its operands are finite');
});

it('infinite entries of finite operands are as many as are certified', () => {
  const certified = { ...emptyTally(), overflowed: 3 };
  expect(() => requireCounted(shape, 3, certified)).not.toThrow();
  for (const infinite of [2, 4])
    expect(() => requireCounted(shape, infinite, certified)).toThrow(
      `${infinite} entries of finite operands are infinite, but 3 exceed the largest f64`,
    );
});
