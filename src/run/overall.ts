import type { CaseResult, Verdict } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { formatCount, formatCountOfAll } from '../report/numbers.ts';
import type { SkippedCases } from './omitted-cases.ts';
import type { Results, WaiverResult } from './results.ts';
import { faultOf, waiversOfClaims } from './settled-waivers.ts';

type Summary = Results['summary'];

export function countOutcomes(
  cases: readonly CaseResult[],
): Pick<Summary, 'pass' | 'fail' | 'inconclusive' | 'waived' | 'comparedWithModel' | 'equalToModel'> {
  const count = (test: (result: CaseResult) => boolean) => cases.filter(test).length;
  const waived = count((result) => result.waiver !== undefined);
  return {
    pass: count(({ verdict }) => verdict === 'pass'),
    fail: count(({ verdict }) => verdict === 'fail'),
    inconclusive: count(({ verdict }) => verdict === 'inconclusive'),
    ...(waived === 0 ? {} : { waived }),
    comparedWithModel: count(({ equalsModel }) => equalsModel !== undefined),
    equalToModel: count(({ equalsModel }) => equalsModel === true),
  };
}

/** Facts that decide a gate besides its counts. */
export interface VerdictCircumstances {
  readonly waivers?: readonly WaiverResult[] | undefined;
  /** Results of inspections besides claims. */
  readonly inspections?: readonly Inspection[] | undefined;
  /** A sentence on the missing part of the campaign, where results were joined. */
  readonly missing?: string | undefined;
  /** A sentence on the cases for which there was no time. */
  readonly skipped?: SkippedCases | undefined;
}

/**
 * Decides the verdict of a gate. It fails if an unwaived case fails, if outputs disprove a kernel's claims, or if a waiver has expired
 * or is unused. It passes if every planned case passed or is waived, and at least one passed. Else it is inconclusive.
 */
export function decideVerdict(
  summary: Summary,
  { waivers = [], inspections = [], missing, skipped }: VerdictCircumstances = {},
): { verdict: Verdict; reason: string } {
  const { run, planned, pass, fail, inconclusive, interrupted, waived = 0 } = summary;
  const covered = waiversOfClaims(waivers);
  const open = inspections.filter(({ kernel }) => !covered.has(kernel));
  const claims = [...covered].map(sayWaivedClaims);
  const faults = [...contradictionsOf(open), ...waivers.flatMap((waiver) => faultOf(waiver) ?? [])];
  const failed = fail - waived;
  const say = (verdict: Verdict, ...sentences: (string | undefined)[]) => ({
    verdict,
    reason: sentences.filter((sentence) => sentence !== undefined).join(' '),
  });
  if (failed > 0) {
    const more = waived > 0 ? `; ${waivedFailures(waived, ' more')}` : '';
    return say(
      'fail',
      `${run === 1 && planned > 1 ? '1 case' : formatCountOfAll(failed, run, 'case')} failed${more}.`,
      ...faults,
      ...claims,
      missing,
    );
  }
  if (faults.length > 0) return say('fail', ...faults, ...claims, missing);
  if (missing !== undefined) return say('inconclusive', missing, ...claims);
  if (run === 0) return say('inconclusive', 'Nothing was run.');
  if (interrupted) return say('inconclusive', `Interrupted after ${run} of ${formatCount(planned, 'case')}.`);
  const also = waived > 0 ? `; ${waivedFailures(waived)}` : '';
  if (inconclusive > 0)
    return say('inconclusive', `${formatCountOfAll(inconclusive, run, 'case')} could not be judged${also}.`);
  if (pass === 0) return say('inconclusive', `No case passed${also}.`);
  const all = `${pass === 1 ? 'The one case' : `All ${formatCount(pass, 'case')}`}${whatRan(skipped)}`;
  return say(
    'pass',
    waived > 0 ? `${formatCountOfAll(pass, run, 'case')} passed${also}.` : all,
    ...claims,
    skipped?.sentence,
  );
}

/** Returns "passed", and for cases that a budget limited, how much they tell. */
function whatRan(skipped: SkippedCases | undefined): string {
  if (skipped === undefined) return ' passed.';
  const share = Math.floor(100 * skipped.share);
  return ` that ran passed, among them all of the core, which a pass needs. Of the known bugs that all cases find, these find about ${share} %.`;
}

/** Says that a disproved claim is waived, why and until when. */
const sayWaivedClaims = ([kernel, { reason, expires }]: readonly [string, WaiverResult]): string =>
  `${kernel} is wrong, which is waived until ${expires}: ${reason.replace(/[.\s]*$/, '')}.`;

/** Returns a sentence on each claim that outputs disprove. */
function contradictionsOf(inspections: readonly Inspection[]): string[] {
  return inspections.flatMap(({ kernel, contradictions = [] }) =>
    contradictions.map((sentence) => describeDisprovedClaim(kernel, sentence)),
  );
}

/** Says that outputs disprove a claim, with the claim and the contradiction. */
export const describeDisprovedClaim = (kernel: string, contradiction: string): string =>
  `${kernel} is wrong: ${contradiction.replace(/^(Its?|In|At)(?= )/, (word) => word.toLowerCase())}`;

function waivedFailures(count: number, more = ''): string {
  return count === 1 ? `1${more} failure is waived` : `${count}${more} failures are waived`;
}
