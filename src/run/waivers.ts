import { group } from 'd3-array';
import { unknownName } from '../base/messages.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { JudgingItems } from '../evidence/items.ts';
import type { Inspection } from '../inspect/inspection.ts';
import { type CasePattern, parseCase, parsePattern } from '../problem/case.ts';
import { formatCount } from '../report/numbers.ts';
import type { WaiverResult } from './results.ts';

/** A known failure that is let through until a date. */
export interface Waiver {
  /** The pattern of its cases: `kernel=mine:*;input=special-values;m=1..16`. */
  readonly case: string;
  /** The reason, which reports show. */
  readonly reason: string;
  /** Its last day, in UTC: `2026-12-31`. */
  readonly expires: string;
  /** The one check whose failures it covers, or `claims` for disproved claims of its kernels. @defaultValue every check */
  readonly check?: string | undefined;
}

/** A waiver with its parsed pattern. */
export interface ReadWaiver extends Waiver {
  readonly matches: CasePattern;
}

/** Names that waivers may give besides those of checks. */
const OF_NO_CHECK = ['runs', 'state', 'claims'];

/**
 * Reads a waiver. Its pattern may name kernels that a run lacks.
 * @param items items that it may name. @defaultValue any: it was read before
 * @throws ParanoiaError `bad-pattern`, `unknown-name`, `bad-number`
 */
export function readWaiver(waiver: Waiver, items?: JudgingItems): ReadWaiver {
  const known = items && [...OF_NO_CHECK, ...items.checks.names];
  if (waiver.check !== undefined && known?.includes(waiver.check) === false) {
    throw unknownName({ what: 'check', given: waiver.check, known });
  }
  const names = items && { input: items.inputs.names, precision: items.precisions.names };
  return { ...waiver, matches: parsePattern(waiver.case, names) };
}

/** True if a text is a calendar day in the form YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** True if a waiver has expired. It holds to the end of its last day, in UTC. */
const hasExpired = ({ expires }: Waiver, now: Date): boolean => now.toISOString().slice(0, 10) > expires;

/** Marks the result of a case as waived where each of its failing checks is covered by a waiver that holds. The verdict stays. */
export function waive(result: CaseResult, waivers: readonly ReadWaiver[], now: Date): CaseResult {
  const { waiver: _, ...bare } = result;
  const covering = waivers.filter(
    (waiver) => !hasExpired(waiver, now) && listCoveredChecks(waiver, bare).length > 0,
  );
  const covered = new Set(covering.flatMap((waiver) => listCoveredChecks(waiver, bare)));
  if (covered.size === 0 || covered.size < failing(bare).length) return bare;
  const reason = [...new Set(covering.map((waiver) => waiver.reason))].join('; ');
  const [expires] = covering.map((waiver) => waiver.expires).sort();
  return { ...bare, waiver: { reason, expires } };
}

/** Returns the names of the failing checks of a case. */
const failing = ({ verdict, checks }: CaseResult): string[] =>
  verdict === 'fail' ? checks.filter(({ status }) => status === 'fail').map(({ name }) => name) : [];

/** Returns the failing checks that a waiver is about, expired or not. */
function listCoveredChecks({ matches, check }: ReadWaiver, result: CaseResult): string[] {
  const names = failing(result).filter((name) => check === undefined || name === check);
  return names.length > 0 && matches(parseCase(result.case)) ? names : [];
}

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
