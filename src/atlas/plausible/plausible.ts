import type { Item } from '../../base/registry.ts';
import type { Results } from '../../run/results.ts';

/** A question to a results file: whether a run could have left it. Nothing is computed again. */
export interface Plausible extends Item {
  /** A sentence on each thing that no run leaves; none where all is well. */
  faults(results: Results, now: Date): string[];
}

/** Cases that a sentence names. */
const NAMED = 1;

/** One sentence on all cases of which the same is wrong. */
export function ofCases(found: readonly { readonly case: string; readonly why: string }[]): string[] {
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length > NAMED ? `, and ${found.length - NAMED} more like it` : '';
  return [`${first.case}: ${first.why}${more}`];
}
