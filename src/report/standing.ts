import type { CaseResult, Results, Verdict, WaiverResult } from '../gate/results.ts';
import { counted } from './numbers.ts';

/** The verdict of a case as reports show it: a failure that is waived is told apart from others, and from a pass. */
export type Standing = Verdict | 'waived';

/** Every standing, what matters most first. */
export const standings: readonly Standing[] = ['fail', 'inconclusive', 'waived', 'pass'];

/** How a case stands. */
export const standingOf = ({ verdict, waived }: Pick<CaseResult, 'verdict' | 'waived'>): Standing =>
  verdict === 'fail' && waived !== undefined ? 'waived' : verdict;

/** Why a case is waived, and until when. */
export function whyWaived({ waived }: Pick<CaseResult, 'waived'>): string {
  return waived === undefined ? '' : `Waived until ${waived.expires}: ${waived.reason}`;
}

/** The waivers that a run can say anything of. */
export function tellingWaivers({ waivers = [] }: Pick<Results, 'waivers'>): WaiverResult[] {
  return waivers.filter(({ state }) => state !== 'idle');
}

/** How many cases a waiver is for: "3 of 20 cases fail, until 2026-12-31". */
export function describeWaiver({ matched, failed, expires, check }: WaiverResult): string {
  const how = check === undefined ? '' : ` ${check}`;
  return `${failed} of ${counted(matched, 'case')} fail${how}, until ${expires}`;
}
