import { registryOf } from '../../base/registry.ts';
import type { Results } from '../../run/results.ts';
import { bounds } from './bounds.ts';
import { counts } from './counts.ts';
import { dates } from './dates.ts';
import { groups } from './groups.ts';
import { measures } from './measures.ts';
import type { Plausible } from './plausible.ts';
import { texts } from './texts.ts';
import { verdicts } from './verdicts.ts';

/** What every results file is asked before it becomes an entry; those that come later go by what the earlier ones saw to. */
const plausibility = registryOf<Plausible>('question of plausibility', [
  dates,
  texts,
  counts,
  verdicts,
  measures,
  bounds,
  groups,
]);

/** What no run leaves, as far as the first question goes that finds something: a sentence each. */
export function implausibleIn(results: Results, now: Date): string[] {
  for (const question of plausibility.items) {
    const faults = question.faults(results, now);
    if (faults.length > 0) return faults;
  }
  return [];
}
