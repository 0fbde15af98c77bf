import type { Verdict } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { CaseItems } from '../kernels/case-items.ts';
import { describeLeftOut } from './omitted-cases.ts';
import type { CasesOutcome } from './outcome.ts';
import { decideVerdict } from './overall.ts';
import type { PlannedCase } from './planned-case.ts';
import type { Results } from './results.ts';
import { describeTimeout } from './time-ran-out.ts';
import { withWaivedClaims } from './waived-claims.ts';
import { removePraise } from './withhold.ts';

/** The verdict of a run, with the results of inspections. */
export interface Conclusion extends Pick<CasesOutcome, 'waivers'> {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Absent where no kernel was inspected. */
  readonly inspections?: Inspection[];
}

/**
 * Concludes a verdict from cases and inspections.
 * @param lacks sentences on why passing cases are not a pass.
 * @param items items that cases may name. @defaultValue the built-in ones
 */
export function conclude(
  { summary, cases, waivers: settled, leftOut = [] }: Omit<CasesOutcome, 'growth'>,
  made: readonly Inspection[],
  lacks: readonly string[],
  items?: CaseItems,
): Conclusion {
  const inspections = removePraise(made, cases);
  const waivers = settled && withWaivedClaims(settled, inspections, cases);
  const missing = lacks.length === 0 ? undefined : lacks.join(' ');
  const about = { waivers, inspections, missing, leftOut: describeLeftOut(leftOut, cases, items) };
  return {
    ...decideVerdict(summary, about),
    ...(waivers === undefined ? {} : { waivers }),
    ...(inspections.length > 0 ? { inspections } : {}),
  };
}

/** Returns a sentence for a run that ran out of time before the cases that a pass needs. */
function tooFew({ run, planned, fail, interrupted }: Results['summary'], { least = 0, unmet = [] }: Ends) {
  if (fail > 0 || interrupted) return [];
  const needed = Math.min(least, planned);
  if (run < needed) return [describeTimeout({ run, planned }, `a pass needs ${needed}`)];
  return least === 0 || unmet.length === 0
    ? []
    : [describeTimeout({ run, planned }, `a pass needs ${inWords(unmet)}`)];
}

/** Describes the unmet cases that a pass needs, in words. */
function inWords(unmet: readonly PlannedCase[]): string {
  const large = unmet
    .filter(({ after = [] }) => after.length === 0)
    .map(({ kernel, problem: { m, k, n } }) => `${m}×${k}×${n} of ${kernel}`);
  const fresh = unmet.length - large.length;
  const processes = fresh === 0 ? [] : [`${fresh} more fresh ${fresh === 1 ? 'process' : 'processes'}`];
  return [...large, ...processes].join(' and ');
}

/** Next step where a time limit ended a run. */
const LONGER = 'Give more time with --time-limit, or omit it.';

/** Reason of a run that ended during inspection. */
const UNINSPECTED = 'the inspection of its kernels did not finish, so some claims are unchecked';
const INTERRUPTED = 'Interrupted during the inspection of kernels, so some claims are unchecked.';

/** Reasons why a run ended too early, and what a pass needs. */
interface Ends {
  /** Number of cases that a pass needs. */
  readonly least?: number | undefined;
  /** Omitted cases that a pass needs whatever the number of cases. */
  readonly unmet?: readonly PlannedCase[];
  /** True if a budget, or a time limit, was used up. */
  readonly isOver: boolean;
  readonly isLate?: boolean | undefined;
  /** True if the inspection of kernels was ended. */
  readonly isCutShort: boolean;
}

/** Returns sentences on what was not run for lack of time or because of an interruption. */
export function describeTimeLimits(summary: Results['summary'], ends: Ends): string[] {
  const { isOver, isLate: isLimited = false, isCutShort } = ends;
  const isLate = isLimited || isOver;
  const next = isOver ? undefined : LONGER;
  // The sentence on the cases covers what the budget left out.
  const isTold = isOver && summary.run < summary.planned;
  return [
    ...tooFew(summary, ends),
    ...(summary.interrupted && isLate ? [describeTimeout(summary, undefined, next)] : []),
    ...(isCutShort && !isTold ? [isLate ? describeTimeout(summary, UNINSPECTED, next) : INTERRUPTED] : []),
  ];
}
