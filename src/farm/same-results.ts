import type { CaseResult } from '../evidence/case-result.ts';
import { canonicalJson } from './gateway/canonical.ts';
import type { StoredBatch } from './stored.ts';

/** What is compared of the results of a batch. */
export type Compared = Pick<StoredBatch, 'cases' | 'ended'>;

/**
 * In what two results of one key differ, as a clause; undefined where they are the same, times apart. Only what both have judged
 * is compared: how much a budget leaves out, and how far an inspection goes, depends on the time.
 * @param unsteady kernels that do not claim to give the same bits again.
 */
export function difference(one: Compared, other: Compared, unsteady: readonly string[]): string | undefined {
  // Of what ended workers nothing else is known.
  if (one.ended !== undefined || other.ended !== undefined) return undefined;
  const known = new Map(one.cases.map((result) => [result.case, result]));
  for (const result of other.cases) {
    const first = known.get(result.case);
    if (first === undefined || unsteady.includes(result.kernel)) continue;
    if (timeless(first) === timeless(result)) continue;
    const [a, b] = [first.verdict, result.verdict];
    const how = a === b ? `both ${a}, with other numbers` : `${a} and ${b}`;
    return `such as those of the case ${result.case} (${how})`;
  }
  return undefined;
}

function timeless({ seconds: _s, took: _t, replay: _r, ...rest }: CaseResult): string {
  return canonicalJson(rest);
}
