import jStat from 'jstat';
import { momentsOf, type NoTest } from './welch-anova.ts';

/** One pair of samples, compared. */
export interface PairTest {
  /** Places of the two samples among those given. */
  readonly one: number;
  readonly other: number;
  /** Mean of the first less that of the second. */
  readonly difference: number;
  /** The studentized range. */
  readonly q: number;
  /** Degrees of freedom after Welch and Satterthwaite. */
  readonly dof: number;
  /** How likely so large a q is, among all pairs, if the means are the same; 0 means below about 1e-12. */
  readonly p: number;
}

/**
 * Compares every pair of samples where variances and lengths differ: P. A. Games and J. F. Howell, "Pairwise multiple
 * comparison procedures with unequal n's and/or variances", Journal of Educational Statistics 1 (1976).
 * @param samples as {@link welchAnova} takes them.
 * @throws Problem `bad-number` for a value that is no finite number.
 */
export function gamesHowell(
  samples: readonly (readonly number[])[],
): { readonly tested: true; readonly pairs: readonly PairTest[] } | NoTest {
  const moments = momentsOf(samples);
  if ('tested' in moments) return moments;
  const errors = moments.map(({ count, variance }) => variance / count);
  const pairs: PairTest[] = [];
  for (let one = 0; one < moments.length; one++) {
    for (let other = one + 1; other < moments.length; other++) {
      const error = errors[one] + errors[other];
      const difference = moments[one].mean - moments[other].mean;
      const q = Math.abs(difference) / Math.sqrt(error / 2);
      const dof =
        error ** 2 /
        (errors[one] ** 2 / (moments[one].count - 1) + errors[other] ** 2 / (moments[other].count - 1));
      const p = dof < LEAST_DOF ? 1 : upperTail(q, moments.length, dof);
      pairs.push({ one, other, difference, q, dof, p });
    }
  }
  if (pairs.some(({ dof }) => dof < LEAST_DOF)) {
    return { tested: false, reason: 'a pair has fewer than two degrees of freedom; it takes more trials' };
  }
  return { tested: true, pairs };
}

/** The studentized range has no tabulated distribution below. */
const LEAST_DOF = 2;

/** Beyond this the tail is far below what the distribution function resolves, and its quadrature may fail. */
const FAR = 200;

function upperTail(q: number, means: number, dof: number): number {
  return q > FAR && dof > 4 ? 0 : Math.min(1, Math.max(0, 1 - jStat.tukey.cdf(q, means, dof)));
}
