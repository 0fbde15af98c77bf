import { unknownName } from '../base/messages.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { JudgingItems } from '../evidence/items.ts';
import { type CasePattern, parseCase, parsePattern } from '../problem/case.ts';

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
export const hasExpired = ({ expires }: Waiver, now: Date): boolean =>
  now.toISOString().slice(0, 10) > expires;

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
export function listCoveredChecks({ matches, check }: ReadWaiver, result: CaseResult): string[] {
  const names = failing(result).filter((name) => check === undefined || name === check);
  return names.length > 0 && matches(parseCase(result.case)) ? names : [];
}
