import type { Verdict } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { describeLeftOut } from './left-out.ts';
import type { CasesOutcome } from './outcome.ts';
import { overall } from './overall.ts';
import { withholdPraise } from './withhold.ts';

/** The verdict of a run, with what inspections found. */
export interface Conclusion {
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
  { summary, cases, waivers, leftOut = [] }: Omit<CasesOutcome, 'growth'>,
  made: readonly Inspection[],
  lacks: readonly string[],
): Conclusion {
  const inspections = withholdPraise(made, cases);
  const missing = lacks.length === 0 ? undefined : lacks.join(' ');
  const about = { waivers, inspections, missing, leftOut: describeLeftOut(leftOut, cases) };
  return { ...overall(summary, about), ...(inspections.length > 0 ? { inspections } : {}) };
}
