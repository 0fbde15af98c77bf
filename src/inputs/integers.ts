import { OURS } from '../base/registry.ts';
import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, type InputShape, inputFamily, reachOfIntegers } from './input.ts';
import { integerBudget, operandLimit, ROUNDED, roundsWhole } from './integer-budget.ts';

/**
 * Whole numbers other than 0, small enough that every sum of an algorithm with the requested levels is exact. None is 0, so that every
 * term counts.
 */
export const integers = inputFamily({
  name: 'integers',
  what: 'Small random whole numbers other than 0; all sums stay exact through all levels.',
  source: OURS,
  catches: 'Any wrong index, tail, dropped term or sign, at zero tolerance.',
  statistics: 'structured',
  exactness: 'integers',
  reachOf: reachOfIntegers,
  accepts: (shape) =>
    integerBudget(shape.k, shape) >= 1 && operandLimit(shape) >= 1
      ? ACCEPTED
      : {
          ok: false,
          reason: roundsWhole(shape)
            ? ROUNDED
            : `with ${shape.levels ?? 0} levels and k = ${shape.k}, even sums of ±1 could exceed the exact range of ${(shape.precision ?? singlePrecision).name}`,
        },
  make: (request) => {
    const { maxA, maxB } = integerMagnitudes(request);
    const { m, k, n, random, fill } = request;
    const [ra, rb] = [random(1), random(2)];
    return {
      a: fill(m, k, () => ra.sign() * ra.int(1, maxA)),
      b: fill(k, n, () => rb.sign() * rb.int(1, maxB)),
    };
  },
});

/** Returns the largest magnitudes of entries of A and B, near each other, whose sums stay exact for the shape. */
export function integerMagnitudes(shape: InputShape): { maxA: number; maxB: number } {
  const budget = integerBudget(shape.k, shape);
  const limit = operandLimit(shape);
  const maxB = Math.min(limit, Math.floor(Math.sqrt(budget)));
  return { maxA: Math.min(limit, Math.floor(budget / maxB)), maxB };
}
