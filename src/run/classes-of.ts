import { showsRounding } from '../inputs/shows-rounding.ts';
import { builtinCaseItems, type CaseItems } from '../kernels/case-items.ts';
import type { GemmProblem } from '../problem/problem.ts';
import { belongsToClass, sizeClasses } from '../problem/size-classes.ts';

/** Suffix of a class of k. It marks a problem whose operands and sums show rounding. */
export const FULL = ' with full significands';

/** Classes of each dimension, with their names. */
const named = (['m', 'k', 'n'] as const).flatMap((key) =>
  sizeClasses.map((own) => ({ key, own, name: `${key} of ${own.name}` })),
);

/** Returns the classes of all sizes: `k of 257–600`, and `k of 257–600 with full significands` for problems that show rounding. */
export function classesOf(
  problems: readonly GemmProblem[],
  items: CaseItems = builtinCaseItems,
): Set<string> {
  const names = new Set<string>();
  for (const problem of problems) {
    const shows = showsRounding(problem, items);
    for (const { key, own, name } of named) {
      if (!belongsToClass(problem[key], own)) continue;
      names.add(name);
      if (key === 'k' && shows) names.add(`${name}${FULL}`);
    }
  }
  return names;
}
