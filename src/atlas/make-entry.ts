import { group } from 'd3-array';
import { lookUp } from '../base/objects.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { worseGrade } from '../evidence/grade.ts';
import { fnv1a } from '../gpu/fingerprint.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { FailureGroup } from '../run/groups/group.ts';
import { groupFailures } from '../run/groups/group-failures.ts';
import { countOutcomes } from '../run/overall.ts';
import type { Results } from '../run/results.ts';
import {
  type CaseRow,
  ENTRY_SCHEMA,
  type EntryStatement,
  type FailureRow,
  type KernelRecord,
  rowOf,
  worstOf,
} from './entry.ts';

/** Facts about a results file that it does not contain. */
interface EntryContext {
  readonly raw: EntryStatement['raw'];
  readonly description?: EntryStatement['description'] | undefined;
  /** Findings of `inspect` on the same kernels. */
  readonly inspections?: readonly Inspection[];
}

/** Makes the statement of a run of the gate: its entry without the hash. */
export function makeStatement(
  results: Results,
  { raw, description, inspections = [] }: EntryContext,
): EntryStatement {
  const { createdAt, version, seed, campaign, verdict, reason, summary, skipped = [], probe } = results;
  const { chosenBecause: _, ...adapter } = results.adapter;
  const run = {
    ...{ createdAt, version, command: shared(results.command), seed, campaign, verdict, reason },
    ...{ planned: summary.planned, seconds: summary.seconds, interrupted: summary.interrupted },
    skipped: skipped.length,
  };
  return {
    ...{ schema: ENTRY_SCHEMA, run, adapter },
    ...(description === undefined ? {} : { description }),
    arithmetic: results.arithmetic,
    ...(probe === undefined ? {} : { probe: probe.map(({ promise: _, ...answer }) => answer) }),
    kernels: kernelsOf(results, [...(results.inspections ?? []), ...inspections]),
    raw,
  };
}

/** Removes the output paths from a command: they concern only the user's machine. */
const shared = (command: string): string => command.replace(/ --(out|reporter)[= ]\S+/g, '');

function kernelsOf(results: Results, inspections: readonly Inspection[]): KernelRecord[] {
  const { cases, versions = {}, arithmetic } = results;
  const groups = results.groups ?? groupFailures(cases);
  const byKernel = group(cases, ({ kernel, precision }) => JSON.stringify([kernel, precision]));
  return [...byKernel.values()].map((own) => {
    const { kernel, precision, algorithm } = own[0];
    const rows = own.map(rowOf);
    const asked = inspections.filter((one) => one.kernel === kernel && one.precision === precision);
    const failures = groups.flatMap((one) => failuresOf(one, cases, own));
    const contradictions = asked.flatMap(({ contradictions = [] }) => contradictions);
    const said = lookUp(versions, kernel);
    return {
      ...{ kernel, precision, algorithm },
      ...(said === undefined ? {} : { versions: said }),
      ...{ counts: tallyOf(own), worst: worstOf(rows) },
      ...aboutOutputs(asked),
      ...repeatsOf(own, asked, arithmetic),
      ...(contradictions.length === 0 ? {} : { contradictions }),
      ...(failures.length === 0 ? {} : { failures }),
      cases: [...rows].sort((x, y) => rank(x) - rank(y)),
    };
  });
}

const rank = ({ verdict }: CaseRow): number => ['fail', 'inconclusive', 'pass'].indexOf(verdict);

function tallyOf(cases: readonly CaseResult[]): KernelRecord['counts'] {
  const { waived = 0, ...counts } = countOutcomes(cases);
  return { cases: cases.length, ...counts, waived };
}

/** The part of a group of failures that concerns one kernel in one precision; empty if there is none. */
function failuresOf(
  { says, rule, failing, judged, looksLike, example, smallerExample, cases: places }: FailureGroup,
  cases: readonly CaseResult[],
  own: readonly CaseResult[],
): FailureRow[] {
  const { kernel, precision } = own[0];
  if (!places.some((at) => cases[at]?.kernel === kernel && cases[at]?.precision === precision)) return [];
  const smallest = cases.find((result) => result.case === example);
  const shown = smallerExample ?? smallest;
  if (shown === undefined) return [];
  const { case: text, reason, replay } = shown;
  return [
    {
      ...{ says, failing, judged },
      ...(rule === undefined ? {} : { rule }),
      ...(looksLike === undefined ? {} : { looksLike: { cause: looksLike.cause, says: looksLike.says } }),
      example: { case: text, reason, replay },
    },
  ];
}

/** Findings of inspections of a kernel; of several, the worst grade and the answers of the last. */
function aboutOutputs(asked: readonly Inspection[]): Pick<KernelRecord, 'grade' | 'findings'> {
  const graded = asked.flatMap(({ measures: { grade } }) => grade ?? []);
  const last = asked.at(-1);
  return {
    ...(graded.length === 0 ? {} : { grade: graded.reduce(worseGrade) }),
    ...(last === undefined
      ? {}
      : {
          findings: last.findings.map(({ id, question, answer, confidence }) => ({
            ...{ id, question, answer, confidence },
          })),
        }),
  };
}

/**
 * True if a kernel repeats its bits. Our kernels add in no fixed order if they lack a bit-exact model on a device that has one;
 * for external kernels the outputs tell.
 */
function repeatsOf(
  own: readonly CaseResult[],
  asked: readonly Inspection[],
  { modeled }: Results['arithmetic'],
): Pick<KernelRecord, 'repeats'> {
  const said = asked.map(({ measures: { deterministic } }) => deterministic);
  if (said.includes(false)) return { repeats: false };
  const isOurs = own[0].leaf !== '';
  const products = own.filter(({ exact, sigma }) => exact !== undefined && sigma !== undefined);
  const isUnordered =
    isOurs &&
    modeled === true &&
    products.length > 0 &&
    products.every(({ equalsModel }) => equalsModel === undefined);
  if (isUnordered) return { repeats: false };
  return isOurs || said.includes(true) ? { repeats: true } : {};
}

/** Bytes reserved for the hash and the layout of the file. */
const AROUND = 20_000;

/** The bytes of a value as JSON, laid out. */
const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length + 8;

/**
 * Drops passing cases until the statement fits. The choice follows from their texts, so it cannot be biased. Counts and worst
 * errors still cover all cases.
 * @returns undefined if the other cases alone do not fit
 */
export function fitStatement(statement: EntryStatement, most: number): EntryStatement | undefined {
  const bare = { ...statement, kernels: statement.kernels.map((one) => ({ ...one, cases: others(one) })) };
  let room = most - AROUND - bytesOf(bare);
  if (room < 0) return undefined;
  const passing = statement.kernels
    .flatMap(({ cases }, at) => cases.filter(isPassing).map((row) => ({ at, row })))
    .sort((x, y) => fnv1a(x.row.case) - fnv1a(y.row.case));
  const kept = new Set<CaseRow>();
  for (const { row } of passing) {
    room -= bytesOf(row);
    if (room < 0) break;
    kept.add(row);
  }
  if (kept.size === passing.length) return statement;
  const kernels = statement.kernels.map((one) => ({
    ...one,
    cases: one.cases.filter((row) => !isPassing(row) || kept.has(row)),
  }));
  return { ...statement, kernels };
}

const isPassing = ({ verdict }: CaseRow): boolean => verdict === 'pass';
const others = ({ cases }: KernelRecord): CaseRow[] => cases.filter((row) => !isPassing(row));
