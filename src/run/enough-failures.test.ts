import { expect, it } from 'vitest';
import { type Case, formatCase, parseCase } from '../problem/case.ts';
import { ranges } from '../problem/ranges.ts';
import { FailureLimiter } from './enough-failures.ts';

const caseOf = (rest: string, kernel = 'mine'): Case => parseCase(`kernel=${kernel};m=4;k=4;n=4;${rest}`);
const plain = caseOf('');
const fail = { kernel: 'mine', case: formatCase(plain), verdict: 'fail' as const, checks: [] };

/** Counts the judged cases among many, each of which fails or passes. */
function judged(fails: (at: number) => boolean, enough = new FailureLimiter()): number {
  let count = 0;
  for (let at = 0; at < 500; at++) {
    if (!enough.wants(plain)) continue;
    count++;
    enough.told({ ...fail, verdict: fails(at) ? 'fail' : 'pass' });
  }
  return count;
}

it('ends a kernel after twelve failures, or sixty cases after the first', () => {
  expect(judged(() => true)).toBe(12);
  expect(judged((at) => at % 2 === 0)).toBe(23);
  expect(judged((at) => at === 100)).toBe(161);
  expect(judged(() => false)).toBe(500);
});

it('ends a kernel after three failures that depend on earlier products or on chance', () => {
  const enough = new FailureLimiter();
  for (const more of [
    { after: [formatCase(plain)] },
    { unsteady: { failed: 3, runs: 10 } },
    { after: [formatCase(plain)] },
  ]) {
    expect(enough.wants(plain)).toBe(true);
    enough.told({ ...fail, ...more });
  }
  expect(enough.wants(plain)).toBe(false);
});

it('leaves other kernels alone, and counts no failure that is waived', () => {
  const enough = new FailureLimiter();
  for (let at = 0; at < 12; at++)
    enough.told({ ...fail, waiver: { reason: 'known', expires: '2030-01-01' } });
  expect(enough.wants(plain)).toBe(true);
  for (let at = 0; at < 12; at++) enough.told(fail);
  expect([enough.wants(plain), enough.wants(caseOf('', 'other'))]).toEqual([false, true]);
  expect(enough.sentence()).toBe('This is enough for a verdict, so 1 other case did not run; --all runs it.');
});

it('asks a kernel that fails for small products alone, and begins none that takes long', () => {
  const enough = new FailureLimiter();
  expect(enough.sentence()).toBe(undefined);
  enough.told(fail);
  const long = [`repeats=${ranges.repeats.most}`, 'program=3', 'sweep=3'];
  expect(long.map((rest) => enough.wants(caseOf(rest)))).toEqual([false, false, false]);
  expect(enough.wants(parseCase('kernel=mine;m=4096;k=4096;n=4096'))).toBe(false);
  expect(enough.wants(caseOf('repeats=3'))).toBe(true);
  expect(enough.sentence()).toBe(
    'This is enough for a verdict, so 4 other cases did not run; --all runs them.',
  );
});

it.each([
  { name: 'exact', isWrong: true },
  { name: 'runs', isWrong: true },
  { name: 'running-bound', isWrong: false },
  { name: 'sigma', isWrong: false },
  { name: 'running-bound', cause: 'zero', isWrong: true },
])('knows whether a kernel is wrong: $name, $cause, $isWrong', ({ name, cause, isWrong }) => {
  const looksLike = cause === undefined ? {} : { looksLike: { cause, says: 'the result is 0' } };
  const enough = new FailureLimiter();
  const checks = [{ name, status: 'fail' as const, message: '', ...looksLike }];
  enough.told({ ...fail, checks, case: formatCase(caseOf('program=3')) });
  expect(enough.wrong.size).toBe(0);
  enough.told({ ...fail, checks });
  expect(enough.wrong.has('mine')).toBe(isWrong);
});
