import type { Algorithm } from './algorithm.ts';
import { isDyadic } from './coefficient.ts';
import { scheduleValuesOf } from './notation.ts';

const known = new WeakMap<Algorithm, ReadonlySet<number>>();

/**
 * Returns the coefficients of an algorithm's table and schedule that formats do not hold, such as 1/3. The result is the same object each
 * time.
 */
export function fractionsOf(algorithm: Algorithm): ReadonlySet<number> {
  const found = known.get(algorithm) ?? fractionsIn(algorithm);
  known.set(algorithm, found);
  return found;
}

function fractionsIn(algorithm: Algorithm): ReadonlySet<number> {
  const { u, v, w, schedule } = algorithm;
  const scheduled = schedule === undefined ? [] : scheduleValuesOf(algorithm).all;
  const factors = scheduled.flatMap((value) =>
    value.kind === 'sum' ? value.terms.map(({ factor }) => factor) : [],
  );
  return new Set([...[u, v, w].flat(2), ...factors].filter((factor) => !isDyadic(factor)));
}
