import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CaseResult } from '../evidence/case-result.ts';
import { type Case, formatCase, parseCase } from '../problem/case.ts';
import { attributeFailure, findShortest } from './blame.ts';

const caseOf = (m: number) => parseCase(`kernel=mine;m=${m};k=2;n=3`);
const cases = Array.from({ length: 30 }, (_, at) => caseOf(at + 1));
const own = caseOf(99);
const result = (verdict: CaseResult['verdict'], reason = 'it is off') =>
  ({ case: formatCase(own), verdict, reason, checks: [], exact: {}, replay: '' }) as unknown as CaseResult;
const replay = (...texts: readonly string[]) => texts.map((text) => parseCase(text).problem.m).join(' then ');

/** Returns the verdict on a case that fails after some lists of others, and the lists after which it was run. */
async function blamed(fails: (before: readonly Case[], run: number) => boolean, again = true, at = 20) {
  const runs: number[][] = [];
  const after = async (before: readonly Case[]) => {
    runs.push(before.map(({ problem }) => problem.m));
    return result(fails(before, runs.length - 1) ? 'fail' : 'pass', `failed run ${runs.length - 1}`);
  };
  const rerun = { after, again: async () => result(again ? 'fail' : 'pass') };
  const blaming = { replay, stop: () => false };
  return { told: await attributeFailure(result('fail'), { cases, at }, rerun, blaming), runs };
}

const has = (before: readonly Case[], ...sizes: readonly number[]) =>
  sizes.every((size) => before.some(({ problem }) => problem.m === size));

it('leaves a failure alone that fails alone, as it fails then', async () => {
  const { told, runs } = await blamed(() => true);
  expect(told).toEqual(result('fail', 'failed run 0'));
  expect(runs).toEqual([[]]);
});

it('names the only case after which it fails', async () => {
  const { told } = await blamed((before) => has(before, 7));
  expect(told.after?.map((text) => parseCase(text).problem.m)).toEqual([7]);
  expect(told.reason).toMatch(
    /^This case fails only if 7×2×3 ran before it, in the same process. failed run \d+$/,
  );
  expect(told.replay).toBe('7 then 99');
  expect(told.checks).toEqual([{ name: 'state', status: 'fail', message: told.reason }]);
});

it.each([
  [[3, 7], 'This case fails only if 3×2×3 and 7×2×3 ran before it, in the same process. '],
  [[3, 7, 9], 'This case fails only if 3×2×3, 7×2×3 and 9×2×3 ran before it, in the same process. '],
  [
    [3, 7, 9, 11],
    'This case fails only if 4 other products (11×2×3 last) ran before it, in the same process. ',
  ],
])('names the fewest it needs: %j', async (sizes, said) => {
  const { told } = await blamed((before) => has(before, ...sizes));
  expect(told.after).toHaveLength(sizes.length);
  expect(told.reason).toContain(said);
});

it('looks among the cases that were computed with it where none before it matters', async () => {
  const { told } = await blamed((before) => has(before, 25));
  expect(told.replay).toBe('25 then 99');
});

it('finds as many calls as one that counts them needs', async () => {
  const { told } = await blamed((before) => before.length === 4);
  expect(told.replay).toBe('17 then 18 then 19 then 20 then 99');
});

it('takes what failed twice after others, and then did not, for chance', async () => {
  // Runs 0, 2 and 4 are alone and pass; runs 1 and 3 come after another case and fail.
  const { told } = await blamed((before, run) => (before.length > 0 ? run < 4 : run > 5), true, 1);
  expect(told.reason).toBe('It fails intermittently, in 9 of 10 runs alone: it is off');
  expect(told).not.toHaveProperty('after');
});

it('says how often what fails by chance does alone', async () => {
  const { told } = await blamed((before, run) => before.length === 0 && run % 3 === 2);
  expect(told.unsteady?.runs).toBe(10);
  const { failed = 0 } = told.unsteady ?? {};
  expect(failed).toBeGreaterThan(0);
  expect(told.reason).toBe(`It fails intermittently, in ${failed} of 10 runs alone: it is off`);
  expect(told).not.toHaveProperty('after');
});

it('counts where a failure fails alone, and not when it is asked again', async () => {
  const { told, runs } = await blamed((_, run) => run % 2 === 0, false);
  expect(told.unsteady).toEqual({ failed: 5, runs: 10 });
  expect(told.reason).toMatch(/^It fails intermittently, in 5 of 10 runs alone: failed run \d$/);
  expect(runs).toHaveLength(10);
});

it('leaves a failure alone that is that of a first product', async () => {
  const { told } = await blamed(() => true, false);
  expect(told).toEqual(result('fail', expect.stringMatching(/^failed run/) as unknown as string));
});

it('says that a failure did not come again', async () => {
  const { told, runs } = await blamed(() => false);
  expect(told.reason).toBe(
    'It failed once, after 20 other cases. It passed when repeated after them, and in 10 runs alone: it is off',
  );
  expect(told.verdict).toBe('fail');
  expect(runs.length).toBeLessThan(25);
});

it('runs a failure of many products once more, and one of few three times', async () => {
  const runs = async (repeats: number) => {
    const text = `kernel=mine;m=9;k=2;n=3;repeats=${repeats}`;
    const failing = { ...result('fail'), case: text };
    let count = 0;
    const once = async () => {
      count++;
      return failing;
    };
    await attributeFailure(
      failing,
      { cases, at: 20 },
      { after: once, again: once },
      { replay, stop: () => false },
    );
    return count;
  };
  expect([await runs(1000), await runs(3)]).toEqual([1, 3]);
});

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
