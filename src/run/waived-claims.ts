import { group } from 'd3-array';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { parseCase } from '../problem/case.ts';
import type { WaiverResult } from './results.ts';
import { readWaiver } from './waivers.ts';

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
