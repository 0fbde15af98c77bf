import { group } from 'd3-array';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { parseCase } from '../problem/case.ts';
import { formatCount } from '../report/numbers.ts';
import type { WaiverResult } from './results.ts';
import { hasExpired, listCoveredChecks, type ReadWaiver, readWaiver } from './waivers.ts';

/** The extent and the time of a run. */
interface RunExtent {
  /** True if it ran every case that its config requests: no shard, and no selection by the command line. */
  readonly whole: boolean;
  readonly now: Date;
}

/**
 * Settles the state of each waiver. An expired one is reported where it matches a case. A waiver is unused only where every case that
 * it could cover was run and judged. In a part of a campaign it is idle.
 */
export function settleWaivers(
  waivers: readonly ReadWaiver[],
  cases: readonly CaseResult[],
  { whole, now }: RunExtent,
): WaiverResult[] {
  const parsed = cases.map((result) => ({ result, value: parseCase(result.case) }));
  return waivers.map(({ matches, ...waiver }) => {
    const about = parsed.filter(({ value }) => matches(value)).map(({ result }) => result);
    const failed = about.filter(
      (result) => listCoveredChecks({ ...waiver, matches }, result).length > 0,
    ).length;
    const undecided = !whole || about.some(({ verdict }) => verdict === 'inconclusive');
    const state = (): WaiverResult['state'] => {
      if (hasExpired(waiver, now) && (whole || about.length > 0)) return 'expired';
      if (failed > 0) return 'used';
      // Inspections settle waivers of disproved claims, not cases.
      if (waiver.check === 'claims') return 'idle';
      return undecided ? 'idle' : 'unused';
    };
    return { ...waiver, state: state(), matched: about.length, failed };
  });
}

/** Returns the fault of a waiver in one sentence, if it has one. */
export function faultOf(waiver: WaiverResult): string | undefined {
  return faults[waiver.state]?.(waiver);
}

const faults: Readonly<Partial<Record<WaiverResult['state'], (waiver: WaiverResult) => string>>> = {
  expired: ({ case: pattern, expires, failed }) => {
    const still = failed === 0 ? 'remove it from the config' : 'fix the cause, or set a later date';
    return `The waiver of "${pattern}" expired on ${expires}: ${still}.`;
  },
  unused: ({ case: pattern, check, matched }) => {
    if (check === 'claims')
      return `The waiver of the claims of "${pattern}" is unused, since outputs contradict none: remove it from the config.`;
    const what = check === undefined ? 'fails' : `fails its check ${check}`;
    if (matched === 0) {
      return `The waiver of "${pattern}" matches no case: correct it, or remove it from the config.`;
    }
    return `The waiver of "${pattern}" is unused, since no case that it matches ${what} (${formatCount(matched, 'case')}): remove it from the config.`;
  },
};

/** The check name by which a waiver covers disproved claims. */
const CLAIMS = 'claims';

/**
 * Adds to the waivers of a run, once its kernels are inspected, the kernels whose disproved claims each covers. A waiver with the check
 * {@link CLAIMS} covers the kernels that it names. One without a check covers kernels whose cases it all covers. An expired waiver covers
 * none.
 */
export function withWaivedClaims(
  waivers: readonly WaiverResult[],
  inspections: readonly Inspection[],
  cases: readonly CaseResult[],
): WaiverResult[] {
  const byKernel = group(cases, ({ kernel }) => kernel);
  return waivers.map((waiver) => {
    if (waiver.state === 'expired' || ![undefined, CLAIMS].includes(waiver.check)) return waiver;
    const { matches } = readWaiver(patternOf(waiver));
    const named = inspections.filter(({ kernel }) => {
      const values = (byKernel.get(kernel) ?? []).map((result) => parseCase(result.case));
      return waiver.check === CLAIMS ? values.some(matches) : values.length > 0 && values.every(matches);
    });
    const kernels = new Set(named.filter(isDisproved).map(({ kernel }) => kernel));
    if (kernels.size > 0) return { ...waiver, state: 'used', kernels: [...kernels] };
    return waiver.check === CLAIMS && named.length > 0 ? { ...waiver, state: 'unused' } : waiver;
  });
}

const patternOf = ({ case: pattern, reason, expires }: WaiverResult) => ({ case: pattern, reason, expires });

const isDisproved = ({ contradictions = [] }: Inspection): boolean => contradictions.length > 0;

/** Returns the waiver that covers the disproved claims of each kernel, if there is one. */
export const waiversOfClaims = (waivers: readonly WaiverResult[]): ReadonlyMap<string, WaiverResult> =>
  new Map(waivers.flatMap((waiver) => (waiver.kernels ?? []).map((kernel) => [kernel, waiver] as const)));
