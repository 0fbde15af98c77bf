import { describeFirstIssue, describeIssue, formatValue } from '../base/plain-words.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { countOutcomes } from '../run/overall.ts';
import { type Results, results } from '../run/results.ts';
import { EARLIER_RESULTS_SCHEMA, RESULTS_SCHEMA, upgradeResults } from '../run/results-schema.ts';
import { badResults, newerResults } from './messages.ts';

/** Longest text that is parsed, in UTF-16 units; a hundred thousand cases take about this much. */
export const LONGEST_TEXT = 2 ** 28;

/**
 * Reads the text of a results file, for every command. Files of the schema before are read too. The results fit their schema, and their counts and verdicts follow from their cases.
 * @param where - the name of the text in messages, usually its path.
 * @throws ParanoiaError `bad-results`, or `newer-results` for a file whose major version this one does not know.
 */
export function readResults(text: string, where = 'The text'): Results {
  const read = readExcerpt(text, where);
  const why = contradictionIn(read);
  if (why !== undefined) throw badResults({ where, why });
  return read;
}

/** Reads results that may hold few of their cases, as links do. Their counts are not checked. @throws as {@link readResults} */
export function readExcerpt(text: string, where: string): Results {
  if (typeof text !== 'string') throw badResults({ where, why: 'it is not text' });
  const value = parse(text, where);
  const { schema } = (value ?? {}) as { schema?: unknown };
  if (schema === EARLIER_RESULTS_SCHEMA) upgradeResults(value as object);
  else if (schema !== RESULTS_SCHEMA) throw wrongSchema(schema, where);
  const read = results.safeParse(value, { error: describeIssue });
  if (read.success) return read.data;
  throw badResults({ where, why: describeFirstIssue(read.error, value) }, read.error);
}

function parse(text: string, where: string): unknown {
  if (text.length > LONGEST_TEXT) {
    const why = `it has ${text.length} characters, but at most ${LONGEST_TEXT} can be read`;
    throw badResults({ where, why });
  }
  // Some editors and shells put a byte order mark in front.
  const json = text.replace(/^\uFEFF/, '');
  if (json.trim() === '') throw badResults({ where, why: 'it is empty' });
  try {
    return JSON.parse(json);
  } catch (error) {
    const why = endsInside(json)
      ? 'it is truncated: the run that wrote it, or its copy, was interrupted'
      : `it is not JSON (${(error as Error).message})`;
    throw badResults({ where, why }, error);
  }
}

/** True if the text stops inside its object or list. */
function endsInside(json: string): boolean {
  if (!/^\s*[[{]/.test(json)) return false;
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*("|$)|[[\]{}]/gs)) {
    // Strings are matched so that the brackets in them do not count.
    if (!token.startsWith('"')) depth += token === '{' || token === '[' ? 1 : -1;
  }
  return depth > 0;
}

const [FAMILY, MAJOR] = splitSchema(RESULTS_SCHEMA) as [string, number];

function wrongSchema(schema: unknown, where: string): Error {
  const [family, major] = (typeof schema === 'string' && splitSchema(schema)) || [];
  if (family === FAMILY && major !== undefined && major > MAJOR) {
    return newerResults({ where, schema: String(schema), reads: RESULTS_SCHEMA });
  }
  const found = schema === undefined ? 'is missing' : `is ${formatValue(schema)}`;
  return badResults({ where, why: `its "schema" ${found}, but must be "${RESULTS_SCHEMA}"` });
}

function splitSchema(schema: string): [string, number] | undefined {
  const match = /^(.*)\/(\d+)$/.exec(schema);
  return match === null ? undefined : [match[1], Number(match[2])];
}

/** The counts of a summary that follow from its cases. */
const COUNTED = ['run', 'pass', 'fail', 'inconclusive', 'waived'] as const;

/**
 * Returns the first contradiction in results that fit their schema, as a clause: between a case and its checks, the summary and its cases,
 * or the verdict and its summary. Undefined where there is none. Fuzz campaigns keep few of their cases, and count all.
 */
function contradictionIn({ summary, cases, fuzz, study, verdict }: Results): string | undefined {
  const wrong = cases.find(passesDespite);
  if (wrong !== undefined)
    return `its case "${wrong.case}" passes, though its check ${failingCheck(wrong)?.name} fails`;
  if (summary.run > summary.planned)
    return `its summary counts ${summary.run} run of ${summary.planned} planned`;
  if (fuzz !== undefined) return undefined;
  const { waived = 0, ...counts } = countOutcomes(cases);
  const counted = { ...counts, waived, run: cases.length };
  const list = COUNTED.filter((name) => (summary[name] ?? 0) !== counted[name]).map(
    (name) => `${summary[name] ?? 0} ${name}, and its cases are ${counted[name]}`,
  );
  if (list.length > 0) return `its summary contradicts its cases: it counts ${list.join('; ')}`;
  const unproved = study === undefined && verdict === 'pass' ? unprovedBy(counted) : undefined;
  return unproved === undefined ? undefined : `its verdict is pass, though ${unproved}`;
}

const failingCheck = ({ checks }: CaseResult) => checks.find(({ status }) => status === 'fail');
const passesDespite = (result: CaseResult): boolean =>
  result.verdict === 'pass' && failingCheck(result) !== undefined;

/** Returns the reason why these counts prove no pass, as a clause; undefined where they may. */
function unprovedBy(counts: Readonly<Record<(typeof COUNTED)[number], number>>): string | undefined {
  if (counts.pass === 0) return 'no case passes';
  if (counts.fail > counts.waived) return 'a case fails that no waiver covers';
  return counts.inconclusive > 0 ? 'a case is inconclusive' : undefined;
}
