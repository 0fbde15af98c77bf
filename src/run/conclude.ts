import type { Verdict } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { describeLeftOut } from './left-out.ts';
import type { CasesOutcome } from './outcome.ts';
import { overall } from './overall.ts';
import { withWaivedClaims } from './waived-claims.ts';
import { withholdPraise } from './withhold.ts';

/** The verdict of a run, with what inspections found. */
export interface Conclusion extends Pick<CasesOutcome, 'waivers'> {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Absent where no kernel was inspected. */
  readonly inspections?: Inspection[];
}

/**
 * The verdict on cases and on what inspections found.
 * @param lacks sentences on what keeps passing cases from being a pass.
 */
export function conclude(
  { summary, cases, waivers: settled, leftOut = [] }: Omit<CasesOutcome, 'growth'>,
  made: readonly Inspection[],
  lacks: readonly string[],
): Conclusion {
  const inspections = withholdPraise(made, cases);
  const waivers = settled && withWaivedClaims(settled, inspections, cases);
  const missing = lacks.length === 0 ? undefined : lacks.join(' ');
  const about = { waivers, inspections, missing, leftOut: describeLeftOut(leftOut, cases) };
  return {
    ...overall(summary, about),
    ...(waivers === undefined ? {} : { waivers }),
    ...(inspections.length > 0 ? { inspections } : {}),
  };
}
