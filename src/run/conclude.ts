import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { formatCount } from '../report/numbers.ts';
import { describeSkipped } from './omitted-cases.ts';
import type { CasesOutcome } from './outcome.ts';
import { decideVerdict } from './overall.ts';
import type { PlannedCase } from './planned-case.ts';
import type { Results } from './results.ts';
import { withWaivedClaims } from './settled-waivers.ts';

/** The verdict of a run, with the results of inspections. */
interface Conclusion extends Pick<CasesOutcome, 'waivers'> {
  readonly verdict: Verdict;
  readonly reason: string;
  /** Absent where no kernel was inspected. */
  readonly inspections?: Inspection[];
}

/**
 * Concludes a verdict from cases and inspections.
 * @param lacks sentences on why passing cases are not a pass.
 */
export function conclude(
  { summary, cases, waivers: settled, skipped = [] }: Omit<CasesOutcome, 'growth'>,
  made: readonly Inspection[],
  lacks: readonly string[],
): Conclusion {
  const inspections = removePraise(made, cases);
  const waivers = settled && withWaivedClaims(settled, inspections, cases);
  const missing = lacks.length === 0 ? undefined : lacks.join(' ');
  const about = { waivers, inspections, missing, skipped: describeSkipped(skipped, cases) };
  return {
    ...decideVerdict(summary, about),
    ...(waivers === undefined ? {} : { waivers }),
    ...(inspections.length > 0 ? { inspections } : {}),
  };
}

/** Returns a sentence for a run that ended before the cases that a pass needs. */
function describeUnmet(
  { run, planned, fail }: Results['summary'],
  unmet: readonly PlannedCase[],
  needed: number,
  next?: string,
) {
  if (fail > 0 || unmet.length === 0) return [];
  const ran = needed - unmet.length;
  const which = needed === 1 ? 'which did not run' : `of which ${ran === 0 ? 'none' : `only ${ran}`} ran`;
  const what = `a pass needs the ${formatCount(needed, 'core case')}, ${which}`;
  return [describeTimeout({ run, planned }, what, next)];
}

/** Next step where a time limit ended a run. */
const LONGER = 'Give more time with --time-limit, or omit it.';

/** Reason of a run that ended during inspection. */
const UNINSPECTED = 'the inspection of its kernels did not finish, so some claims are unchecked';
const INTERRUPTED = 'Interrupted during the inspection of kernels, so some claims are unchecked.';

/** Reasons why a run ended too early, and what a pass needs. */
interface Ends {
  /** Cases that a pass needs and that did not run, in their order. @defaultValue none */
  readonly unmet?: readonly PlannedCase[];
  /** Number of cases that a pass needs. */
  readonly needed?: number;
  /** True if a budget, or a time limit, was used up. */
  readonly isOver: boolean;
  readonly isLate?: boolean | undefined;
  /** True if the inspection of kernels was ended. */
  readonly isCutShort: boolean;
}

/** Returns sentences on what was not run for lack of time or because of an interruption. */
export function describeTimeLimits(summary: Results['summary'], ends: Ends): string[] {
  const { unmet = [], needed = unmet.length, isOver, isLate: isLimited = false, isCutShort } = ends;
  const isLate = isLimited || isOver;
  const next = isOver ? undefined : LONGER;
  // The sentence on the cases covers what the budget left out.
  const isTold = isOver && summary.run < summary.planned;
  const isTimedOut = summary.interrupted && isLate;
  const lacking = isTimedOut || !summary.interrupted ? describeUnmet(summary, unmet, needed, next) : [];
  return [
    ...lacking,
    ...(isTimedOut && lacking.length === 0 ? [describeTimeout(summary, undefined, next)] : []),
    ...(isCutShort && !isTold ? [isLate ? describeTimeout(summary, UNINSPECTED, next) : INTERRUPTED] : []),
  ];
}

/** Next step where a machine was too slow. */
const MORE_TIME = 'Give more time with --budget, or set a number of cases with --cases.';

/**
 * Says that a verdict is missing only for lack of time, how far the run came, and what to do.
 * @param lacks what a pass would need: a clause.
 * @param next the next step. @defaultValue more time, or a number of cases
 */
const describeTimeout = (
  { run, planned }: { readonly run: number; readonly planned: number },
  lacks?: string,
  next = MORE_TIME,
): string =>
  `Time ran out ${run === 0 ? 'during the start, before the first' : `after ${run}`} of ${formatCount(planned, 'case')}${lacks === undefined ? '' : `; ${lacks}`}. ${next}`;

/** Answers that praise a product as a whole, from the few inspected products. */
const PRAISE: ReadonlySet<string> = new Set(['multiplies', 'grade']);

/**
 * Removes praise from the inspections of kernels that fail a case. A question that saw only right products says nothing about wrong ones.
 */
export function removePraise(
  inspections: readonly Inspection[],
  cases: readonly Pick<CaseResult, 'kernel' | 'verdict'>[],
): Inspection[] {
  return inspections.map((inspection) => {
    const failing = cases.filter(
      ({ kernel, verdict }) => kernel === inspection.kernel && verdict === 'fail',
    ).length;
    if (failing === 0) return inspection;
    const { multiplies: _, grade: __, ...measures } = inspection.measures;
    const answer = `withheld: ${failing} ${failing === 1 ? 'case' : 'cases'} of the gate failed`;
    const findings = inspection.findings.map((finding) =>
      PRAISE.has(finding.id) && finding.value !== false && finding.value !== 'none'
        ? { ...finding, answer, value: null, confidence: 'unknown' as const }
        : finding,
    );
    return { ...inspection, findings, measures };
  });
}
