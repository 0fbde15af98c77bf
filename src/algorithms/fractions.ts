import type { Algorithm } from './algorithm.ts';
import { isDyadic } from './dyadic.ts';
import { valuesOf } from './notation.ts';

const known = new WeakMap<Algorithm, ReadonlySet<number>>();

/** The coefficients of the table and the schedule of an algorithm that formats do not hold, 1/3 among them. The same object each time. */
export function fractionsOf(algorithm: Algorithm): ReadonlySet<number> {
  const found = known.get(algorithm) ?? fractionsIn(algorithm);
  known.set(algorithm, found);
  return found;
}

function fractionsIn(algorithm: Algorithm): ReadonlySet<number> {
  const { u, v, w, schedule } = algorithm;
  const scheduled = schedule === undefined ? [] : valuesOf(algorithm).all;
  const factors = scheduled.flatMap((value) =>
    value.kind === 'sum' ? value.terms.map(({ factor }) => factor) : [],
  );
  return new Set([...[u, v, w].flat(2), ...factors].filter((factor) => !isDyadic(factor)));
}
