import { group } from 'd3-array';
import type { CaseResult } from '../evidence/case-result.ts';
import { type MeasuredNumber, worstNumber } from '../report/numbers.ts';
import { type CaseStanding, standingOf, standings } from './standing.ts';

/** The summary of a kernel. */
export interface KernelGlance {
  readonly kernel: string;
  readonly precisions: readonly string[];
  readonly cases: number;
  readonly counts: Readonly<Record<CaseStanding, number>>;
  /** The worst of its cases: error in sigmas, and the used part of the running bound. */
  readonly sigmas: MeasuredNumber;
  readonly used: MeasuredNumber;
}

/** Returns a row for each kernel. Failing kernels come first, then the order of the run. */
export function kernelsAtGlance(cases: readonly CaseResult[]): KernelGlance[] {
  const all = [...group(cases, ({ kernel }) => kernel)].map(([kernel, own]): KernelGlance => {
    const sigma = own.map(({ checks }) => checks.find(({ name }) => name === 'sigma')?.found);
    const used = own.map(({ runningBound }) => runningBound?.used);
    return {
      kernel,
      precisions: [...new Set(own.map(({ precision }) => precision))],
      cases: own.length,
      counts: countStandings(own),
      sigmas: worstNumber(sigma, 'largest'),
      used: worstNumber(used, 'largest'),
    };
  });
  const rank = ({ counts }: KernelGlance) => (counts.fail > 0 ? 0 : counts.inconclusive > 0 ? 1 : 2);
  return all.sort((one, other) => rank(one) - rank(other));
}

/** Counts the cases of each standing. */
export function countStandings(cases: readonly CaseResult[]): Record<CaseStanding, number> {
  const counts = Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<
    CaseStanding,
    number
  >;
  for (const result of cases) counts[standingOf(result)]++;
  return counts;
}
