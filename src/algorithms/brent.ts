import { type Algorithm, rank } from './algorithm.ts';

/** One violated Brent equation: the coefficient of A(i,j)·B(k,l) in C(p,q). */
export interface BrentViolation {
  readonly a: string;
  readonly b: string;
  readonly c: string;
  readonly expected: number;
  readonly found: number;
}

/**
 * The Brent equations (R. Brent, 1970): a table computes A·B exactly if and only if, for all blocks,
 *
 *     Σ_r u[r][ij] v[r][kl] w[r][pq] = [j = k] [i = p] [l = q].
 *
 * @returns the violated equations; none for a correct table. Cost: R·(mk)(kn)(mn) multiplications.
 */
export function brentViolations(algorithm: Algorithm): BrentViolation[] {
  const { m, k, n } = algorithm.base;
  const violations: BrentViolation[] = [];
  for (let a = 0; a < m * k; a++) {
    for (let b = 0; b < k * n; b++) {
      for (let c = 0; c < m * n; c++) {
        const [ai, aj, bi, bj, ci, cj] = [div(a, k), a % k, div(b, n), b % n, div(c, n), c % n];
        const expected = aj === bi && ai === ci && bj === cj ? 1 : 0;
        let found = 0;
        for (let r = 0; r < rank(algorithm); r++) {
          found += algorithm.u[r][a] * algorithm.v[r][b] * algorithm.w[r][c];
        }
        if (found !== expected) {
          violations.push({
            a: `A${ai + 1}${aj + 1}`,
            b: `B${bi + 1}${bj + 1}`,
            c: `C${ci + 1}${cj + 1}`,
            expected,
            found,
          });
        }
      }
    }
  }
  return violations;
}

const div = (x: number, y: number) => Math.floor(x / y);
