import type { Matrix } from '../matrix/dense.ts';
import type { Analysis } from '../readers/analysis.ts';
import type { Claims } from './claims.ts';

/** How much more than the errors of our own schedule a kernel is allowed, where its schedule is not known. */
export interface Slack {
  /** The running bound is multiplied by this. */
  readonly bound: number;
  /** The expected error is multiplied by this. */
  readonly sigma: number;
}

/**
 * What a fast algorithm is allowed beyond the errors of our own schedule of it. Others may add the products of a block
 * of C, or the blocks of a factor, in another order, and peel where we pad. Adding t terms in another order changes an
 * error by at most (t − 1)·u·Σ|term|, and |product| ≤ |S||T| is 1/(k₀·u) of the bound on that product's own error: for
 * leaf products of k₀ ≥ 4 terms and t ≤ 4 that makes at most ∏ (1 + 3/(2^l·k₀)) < 3.4 over all levels. Expected errors
 * differ by far less.
 */
const FAST: Slack = { bound: 4, sigma: 1.5 };

/** What a kernel of these claims is allowed beyond the errors of its plan; a classical product's bound holds in any order. */
export function slackOf({ algorithm = 'classical' }: Claims): Slack | undefined {
  return algorithm === 'classical' ? undefined : FAST;
}

/** An analysis with what a kernel is allowed beyond its plan's errors. */
export function withSlack(analysis: Analysis, slack: Slack | undefined): Analysis {
  if (slack === undefined) return analysis;
  const times = (by: number, matrix: Matrix<Float64Array>) => ({
    ...matrix,
    data: matrix.data.map((x) => by * x),
  });
  return {
    ...analysis,
    bound: times(slack.bound, analysis.bound),
    sigma: times(slack.sigma, analysis.sigma),
  };
}
