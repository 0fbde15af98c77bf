import * as z from 'zod/mini';
import { badItem } from '../../base/messages.ts';
import { describeFirstIssue, describeIssue } from '../../base/plain-words.ts';
import { registryOf } from '../../base/registry.ts';
import { checkResult } from '../case-result.ts';
import type { Check, CheckAnswer } from './check.ts';

/** The definition of a user's own check. */
export interface CheckSpec extends Omit<Check, 'decisive' | 'judges'> {
  /** @defaultValue false */
  readonly decisive?: boolean;
  /** @defaultValue 'entries' */
  readonly judges?: Check['judges'];
}

const answer = z.omit(checkResult, { name: true });

/**
 * Defines a check of one's own. If it throws, or returns no valid answer, its case is inconclusive.
 *
 * ```ts
 * const finite = defineCheck({
 *   name: 'finite',
 *   what: 'Is every entry of C a finite number?',
 *   judge: ({ outcomes: [{ c }] }) =>
 *     c.data.every(Number.isFinite)
 *       ? { status: 'pass', message: 'All are.' }
 *       : { status: 'fail', message: 'Some entry is not.' },
 * });
 * ```
 * @throws ParanoiaError `bad-item` for an invalid name, a missing question, or no function
 */
export function defineCheck(spec: CheckSpec): Check {
  const { name, what, judge, decisive = false, judges = 'entries' } = spec;
  const refuse = (why: string) => badItem({ kind: 'check', name, why });
  if (typeof what !== 'string' || what === '') throw refuse('what must be a question');
  if (typeof judge !== 'function') throw refuse('judge must be a function');
  if (judges !== 'entries' && judges !== 'product') throw refuse('judges must be "entries" or "product"');
  const undecided = (message: string): CheckAnswer => ({ status: 'inconclusive', message });
  const check: Check = {
    ...spec,
    decisive,
    judges,
    judge(evidence, limits) {
      try {
        const said: unknown = judge(evidence, limits);
        const given = answer.safeParse(said ?? null, { error: describeIssue });
        if (given.success) return given.data;
        return undecided(
          `The check ${name} returned no valid answer: ${describeFirstIssue(given.error, said)}.`,
        );
      } catch (error) {
        const why = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
        return undecided(`The check ${name} threw an error: ${why}.`);
      }
    },
  };
  return registryOf('check', [check]).items[0];
}
