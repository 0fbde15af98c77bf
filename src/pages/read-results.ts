import { describeFirstIssue, describeIssue, formatValue } from '../base/plain-words.ts';
import { EARLIER_RESULTS_SCHEMA, upgradeResults } from '../run/earlier-results.ts';
import { type Results, results } from '../run/results.ts';
import { RESULTS_SCHEMA } from '../run/results-schema.ts';
import { contradictionIn } from './contradictions.ts';
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
