import {
  addRationals,
  multiplyRationals,
  type Rational,
  rational,
  subtractRationals,
  toNumber,
} from '../base/rational.ts';
import { type Algorithm, rank } from './algorithm.ts';
import { blockName } from './block-names.ts';
import { coefficientFraction } from './coefficient.ts';

/** One violated Brent equation: the coefficient of A(i,j)·B(k,l) in C(p,q). */
export interface BrentViolation {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly expected: number;
  readonly found: number;
}

const ZERO = rational(0);
const ONE = rational(1);

/**
 * Checks the Brent equations (R. Brent, 1970). A table computes A·B exactly if and only if, for all blocks,
 *
 *     Σ_r u[r][ij] v[r][kl] w[r][pq] = [j = k] [i = p] [l = q],
 *
 * over the rationals: tables that hold modulo 2 alone violate them. Coefficients are read by {@link coefficientFraction}.
 * @returns the violated equations; none for a correct table. Cost: as many multiplications as there are triples of
 *   coefficients other than 0.
 */
export function brentViolations(algorithm: Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>): BrentViolation[] {
  const { m, k, n } = algorithm.base;
  const sums = productsOf(algorithm);
  const violations: BrentViolation[] = [];
  const row = (at: number, columns: number) => Math.floor(at / columns);
  for (let a = 0; a < m * k; a++) {
    for (let b = 0; b < k * n; b++) {
      for (let c = 0; c < m * n; c++) {
        const isTerm = a % k === row(b, n) && row(a, k) === row(c, n) && b % n === c % n;
        const key = (a * k * n + b) * m * n + c;
        const off = subtractRationals(sums.get(key) ?? ZERO, isTerm ? ONE : ZERO);
        if (off.num === 0n) continue;
        violations.push({
          a: blockName('A', row(a, k), a % k),
          b: blockName('B', row(b, n), b % n),
          c: blockName('C', row(c, n), c % n),
          expected: isTerm ? 1 : 0,
          found: toNumber(sums.get(key) ?? ZERO),
        });
      }
    }
  }
  return violations;
}

/** Returns Σ_r u[r][a]·v[r][b]·w[r][c] for every a, b, c of some product. */
function productsOf(algorithm: Pick<Algorithm, 'base' | 'u' | 'v' | 'w'>): Map<number, Rational> {
  const { u, v, w, base } = algorithm;
  const sums = new Map<number, Rational>();
  const [ofB, ofC] = [base.k * base.n, base.m * base.n];
  const terms = (row: readonly number[]) =>
    row.flatMap((factor, at) => (factor === 0 ? [] : [[at, coefficientFraction(factor)] as const]));
  for (let r = 0; r < rank(algorithm); r++) {
    for (const [a, p] of terms(u[r])) {
      for (const [b, q] of terms(v[r])) {
        const both = multiplyRationals(p, q);
        for (const [c, s] of terms(w[r])) {
          const key = (a * ofB + b) * ofC + c;
          sums.set(key, addRationals(sums.get(key) ?? ZERO, multiplyRationals(both, s)));
        }
      }
    }
  }
  return sums;
}
