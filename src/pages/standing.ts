import { group } from 'd3-array';
import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import { formatCount, formatCountOfAll, type MeasuredNumber, worstNumber } from '../report/numbers.ts';
import { type TextCell, type Tone, tonedCell } from '../report/table.ts';
import type { Results, WaiverResult } from '../run/results.ts';

/** The verdict of a case as reports show it. A waived failure differs from other failures and from a pass. */
export type CaseStanding = Verdict | 'waived';

/** Every standing, the most important first. */
export const standings: readonly CaseStanding[] = ['fail', 'inconclusive', 'waived', 'pass'];

const MARKS: Readonly<Record<CaseStanding, readonly [string, Tone]>> = {
  pass: ['✓', 'good'],
  fail: ['✗', 'bad'],
  inconclusive: ['?', 'unsure'],
  waived: ['~', 'unsure'],
};

/** Returns a standing as it is printed: sign and word, so that color is never the only sign. */
export function markOf(standing: CaseStanding): TextCell {
  const [sign, tone] = MARKS[standing];
  return tonedCell(`${sign} ${standing}`, tone);
}

export const standingOf = ({ verdict, waiver }: Pick<CaseResult, 'verdict' | 'waiver'>): CaseStanding =>
  verdict === 'fail' && waiver !== undefined ? 'waived' : verdict;

/** Explains why a case is waived, and until when. */
export function whyWaived({ waiver }: Pick<CaseResult, 'waiver'>): string {
  return waiver === undefined ? '' : `Waived until ${waiver.expires}: ${waiver.reason}`;
}

/** Returns the waivers that concern the run. */
export function relevantWaivers({ waivers = [] }: Pick<Results, 'waivers'>): WaiverResult[] {
  return waivers.filter(({ state }) => state !== 'idle');
}

/** Describes the cases of a waiver: "3 of 20 cases fail, until 2026-12-31". */
export function describeWaiver({ matched, failed, expires, check, kernels = [] }: WaiverResult): string {
  if (kernels.length > 0 && failed === 0)
    return `claims of ${formatCount(kernels.length, 'kernel')}, until ${expires}`;
  const how = check === undefined ? '' : ` ${check}`;
  return `${formatCountOfAll(failed, matched, 'case')} failed${how}, until ${expires}`;
}

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

export function countStandings(cases: readonly CaseResult[]): Record<CaseStanding, number> {
  const counts = Object.fromEntries(standings.map((standing) => [standing, 0])) as Record<
    CaseStanding,
    number
  >;
  for (const result of cases) counts[standingOf(result)]++;
  return counts;
}
