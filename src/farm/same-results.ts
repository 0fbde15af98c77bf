import { canonicalText } from '../base/canonical.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { StoredBatch } from './stored.ts';

/** The compared parts of a batch's results. */
export type ComparableResults = Pick<StoredBatch, 'cases' | 'ended' | 'inspection' | 'fuzz' | 'uninspected'>;

/**
 * Describes the difference between two results of one key, as a clause; undefined if they are equal apart from times. Only work
 * that both have done is compared: the cases that a budget leaves out, and the extent of an inspection, depend on time.
 * @param unsteady kernels that do not claim reproducible bits
 */
export function difference(
  one: ComparableResults,
  other: ComparableResults,
  unsteady: readonly string[],
): string | undefined {
  // Where workers crashed or hung, there are no other results.
  if (one.ended !== undefined || other.ended !== undefined) return undefined;
  const known = new Map(one.cases.map((result) => [result.case, result]));
  for (const result of other.cases) {
    const first = known.get(result.case);
    if (first === undefined || unsteady.includes(result.kernel)) continue;
    if (timeless(first) === timeless(result)) continue;
    const [a, b] = [first.verdict, result.verdict];
    const how = a === b ? `both ${a}, with different numbers` : `${a} and ${b}`;
    return `the case ${result.case} (${how})`;
  }
  return ofInspections(one, other, unsteady) ?? ofRounds(one, other, unsteady);
}

/** Confidences of answers that every inspection of these outputs gives. */
const SURE: readonly string[] = ['proved', 'measured'];

/** Compares two inspections by their sure answers to questions that both were asked. */
function ofInspections(
  one: ComparableResults,
  other: ComparableResults,
  unsteady: readonly string[],
): string | undefined {
  const [first, second] = [one.inspection, other.inspection];
  if (first === undefined || second === undefined || unsteady.includes(first.kernel)) return undefined;
  const known = new Map(first.findings.map((finding) => [finding.id, finding]));
  for (const { id, value, confidence } of second.findings) {
    const before = known.get(id);
    if (before === undefined || !SURE.includes(confidence) || !SURE.includes(before.confidence)) continue;
    if (before.value !== value)
      return `${id} in the inspection of ${first.kernel} (${before.value} and ${value})`;
  }
  return undefined;
}

/** The words for the compared parts of a round. */
const OF_A_ROUND = {
  count: 'its counts',
  coverage: 'its coverage',
  worst: 'its largest errors',
  finding: 'its violation',
} as const;

/** Compares two rounds whole: one key draws the same cases, unless a round ended early. */
function ofRounds(
  one: ComparableResults,
  other: ComparableResults,
  unsteady: readonly string[],
): string | undefined {
  const [first, second] = [one.fuzz, other.fuzz];
  if (first === undefined || second === undefined) return undefined;
  if ((one.uninspected ?? other.uninspected) !== undefined) return undefined;
  if ([...first.recent, ...second.recent].some(({ kernel }) => unsteady.includes(kernel))) return undefined;
  const key = (Object.keys(OF_A_ROUND) as (keyof typeof OF_A_ROUND)[]).find(
    (part) => withoutTimes(first[part]) !== withoutTimes(second[part]),
  );
  return key === undefined ? undefined : `a round of drawn cases (${OF_A_ROUND[key]})`;
}

/** Names of fields that hold times, or depend on the command line. */
const TIMES: readonly string[] = ['seconds', 'judgingSeconds', 'replay'];

const withoutTimes = (value: unknown): string =>
  canonicalText(
    value === undefined
      ? null
      : JSON.parse(JSON.stringify(value, (key, item: unknown) => (TIMES.includes(key) ? undefined : item))),
  );

function timeless({ seconds: _s, judgingSeconds: _t, replay: _r, ...rest }: CaseResult): string {
  return canonicalText(rest);
}
