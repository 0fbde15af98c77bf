import { OURS } from '../base/registry.ts';
import { singlePrecision } from '../precision/single.ts';
import { ACCEPTED, type InputShape, inputFamily, reachOfIntegers } from './input.ts';
import { integerBudget, operandLimit, ROUNDED, roundsWhole } from './integer-budget.ts';

/**
 * A counts its entries, 1, 2, 3, … row by row, modulo a prime; B is the identity (ones on the main diagonal of a
 * k×n matrix). C repeats A, cut or filled with zeros to n columns. The modulus is a prime, so that no two blocks, whose sizes are
 * round numbers, hold the same entries. With L levels the prime is so small that their growth stays exact: a column
 * of B has one entry only, hence the budget of an inner dimension of 1.
 */
export const identity = inputFamily({
  name: 'identity',
  what: 'Consecutive whole numbers times the identity.',
  source: OURS,
  catches: 'Wrong layout: the value of a misplaced entry of C tells its origin.',
  statistics: 'structured',
  exactness: 'integers',
  hasIdeal: true,
  reachOf: reachOfIntegers,
  accepts: (shape) =>
    modulus(shape) >= 2
      ? ACCEPTED
      : {
          ok: false,
          reason: roundsWhole(shape)
            ? ROUNDED
            : `with ${shape.levels ?? 0} levels, no two different whole numbers stay exact in ${(shape.precision ?? singlePrecision).name}`,
        },
  make: (request) => {
    const { m, k, n, fill } = request;
    const prime = modulus(request);
    const count = (i: number, t: number) => 1 + ((i * k + t) % prime);
    return {
      a: fill(m, k, count),
      b: fill(k, n, (t, j) => (t === j ? 1 : 0)),
      ideal: (i, j) => (j < k ? count(i, j) : 0),
    };
  },
});

/** Upper limit of entries. With the budget of a wider format, finding a prime would take longer than multiplying. */
const ENOUGH = 2 ** 24;

/** Returns the largest prime within the budget, 0 when that is below 2. */
function modulus(limits: InputShape): number {
  for (let p = Math.min(integerBudget(1, limits), operandLimit(limits), ENOUGH); p >= 2; p--) {
    if (isPrime(p)) return p;
  }
  return 0;
}

function isPrime(p: number): boolean {
  for (let d = 2; d * d <= p; d++) {
    if (p % d === 0) return false;
  }
  return true;
}
