import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findShortest } from './shortest.ts';

const all = (length: number) => Array.from({ length }, (_, at) => at);
const holds = (needed: readonly number[]) => async (part: readonly number[]) =>
  needed.every((item) => part.includes(item));
const never = () => false;

it('keeps what is needed, in its order, and nothing else', async () => {
  const needed = fc.uniqueArray(fc.nat(39), { minLength: 1, maxLength: 4 });
  const law = fc.asyncProperty(needed, async (items) => {
    expect(await findShortest(all(40), holds(items), never)).toEqual(items.toSorted((x, y) => x - y));
  });
  await fc.assert(law, { numRuns: 40 });
});

it('leaves nothing out that cannot be, where only lengths count', async () => {
  const seven = async (part: readonly number[]) => part.length % 7 === 3;
  const found = await findShortest(all(38), seven, never);
  expect(found.length % 7).toBe(3);
  for (const item of found) expect(await seven(found.filter((other) => other !== item))).toBe(false);
});

it('finds one of a thousand in few tries', async () => {
  let tries = 0;
  const fails = async (part: readonly number[]) => {
    tries++;
    return part.includes(600);
  };
  expect(await findShortest(all(1000), fails, never)).toEqual([600]);
  // Two halves each time.
  expect(tries).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(1000)));
});

it('keeps what it has found when it is ended', async () => {
  let tries = 0;
  const fails = async (part: readonly number[]) => {
    tries++;
    return part.includes(0);
  };
  expect(await findShortest(all(64), fails, () => tries === 3)).toHaveLength(32);
});
