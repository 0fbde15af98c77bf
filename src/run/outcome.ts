import { catchParanoiaErrorAsync, ParanoiaError } from '../base/errors.ts';
import { loadPart } from '../base/part.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { withShownExamples } from './groups/group.ts';
import type { FoundGroups, GroupConstraints } from './groups/group-failures.ts';
import { describeSkipped } from './omitted-cases.ts';
import { countOutcomes, decideVerdict } from './overall.ts';
import type { GrowthResult, Results } from './results.ts';
import { settleWaivers } from './settled-waivers.ts';
import type { ReadWaiver } from './waivers.ts';

/** The course of a run, as its outcome needs it. */
export interface RunCourse {
  /** Number of planned cases. */
  readonly planned: number;
  /** The cases that the budget left out. */
  readonly skipped: readonly string[];
  readonly seconds: number;
  readonly interrupted: boolean;
  readonly waivers: readonly ReadWaiver[];
  /** True if every case that the config requests was run. */
  readonly whole: boolean;
  readonly now: Date;
  /** A sentence on the missing part of the run. */
  readonly missing?: string | undefined;
}

/** The parts of a results file that follow from judged cases. */
export interface CasesOutcome
  extends Pick<Results, 'verdict' | 'reason' | 'summary' | 'cases' | 'groups' | 'waivers' | 'skipped'> {
  readonly growth: GrowthResult[];
}

/**
 * Computes the outcome of judged cases, waived ones included.
 * @returns also the error that kept it from being complete, since the cases are still useful; and the bounds of each group.
 */
export async function computeOutcome(
  judged: readonly CaseResult[],
  ran: RunCourse,
): Promise<
  CasesOutcome & { readonly lack?: ParanoiaError | undefined; readonly bounds: readonly GroupConstraints[] }
> {
  const { planned, skipped, seconds, interrupted, waivers } = ran;
  const [sharing, growing] = await Promise.all([groupsOf(judged), growthOf(judged)]);
  const lack = [sharing, growing].find((found) => found instanceof ParanoiaError);
  const { groups, bounds } = sharing instanceof ParanoiaError ? NO_GROUPS : sharing;
  const cases = withShownExamples(judged, groups);
  const summary = { planned, run: cases.length, ...countOutcomes(cases), seconds, interrupted };
  const settled = settleWaivers(waivers, cases, ran);
  const missing = ran.missing ?? lack?.message;
  return {
    ...decideVerdict(summary, {
      waivers: settled,
      skipped: describeSkipped(skipped, cases),
      missing,
    }),
    ...(skipped.length === 0 ? {} : { skipped: [...skipped] }),
    ...(groups.length === 0 ? {} : { groups }),
    ...{ summary, cases, growth: known(growing) },
    ...(waivers.length > 0 ? { waivers: settled } : {}),
    ...(lack === undefined ? {} : { lack }),
    bounds,
  };
}

const NO_GROUPS: FoundGroups = { groups: [], bounds: [] };

const known = <T>(found: T[] | ParanoiaError): T[] => (found instanceof ParanoiaError ? [] : found);

/** Finds what failures share. */
async function groupsOf(judged: readonly CaseResult[]): Promise<FoundGroups | ParanoiaError> {
  if (judged.every(({ verdict }) => verdict !== 'fail')) return NO_GROUPS;
  const grouping = loadPart('groups failures', () => import('./groups/group-failures.ts'));
  return catchParanoiaErrorAsync(grouping.then(({ findGroups }) => findGroups(judged)));
}

/** Fits the growth of errors in the series among the cases. */
async function growthOf(judged: readonly CaseResult[]): Promise<GrowthResult[] | ParanoiaError> {
  if (judged.every(({ series }) => !series)) return [];
  const fitting = loadPart('fits the growth of errors', () => import('./growth-series.ts'));
  return catchParanoiaErrorAsync(fitting.then(({ fitSeries }) => fitSeries(judged)));
}
