import fc from 'fast-check';
import type { Case } from '../gate/case.ts';
import { problem } from '../problems.ts';

/**
 * The case that a seed and a path lead to: run 17, or 17:0:3, a case that run 17 shrinks to.
 * @throws Problem `bad-number` for a path that leads nowhere.
 */
export function caseAt(arbitrary: fc.Arbitrary<Case>, seed: number, path: string): Case {
  const wrong = problem('bad-number', {
    what: '--path',
    given: path,
    need: 'one that a campaign of the same options printed, such as 17 or 17:0:3',
  });
  if (!/^\d{1,6}(:\d{1,6})*$/.test(path)) throw wrong;
  let found: Case[];
  try {
    found = fc.sample(arbitrary, { seed, path, numRuns: 1 });
  } catch {
    throw wrong;
  }
  if (found.length === 0) throw wrong;
  return found[0];
}
