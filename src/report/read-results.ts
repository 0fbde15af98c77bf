import { RESULTS_SCHEMA, type Results, results } from '../gate/results.ts';
import { problem } from '../problems.ts';
import { firstFault, plainWords, show } from './plain-words.ts';

/** Longest text that is parsed, in UTF-16 units; a hundred thousand cases take about this much. */
export const LONGEST_TEXT = 2 ** 28;

/**
 * Reads the text of a results file.
 * @param where - what to call the text in messages, usually its path.
 * @throws Problem `bad-results`, or `newer-results` for a file whose major version this one does not know.
 */
export function readResults(text: string, where = 'The text'): Results {
  if (typeof text !== 'string') throw problem('bad-results', { where, why: 'it is no text' });
  const value = parse(text, where);
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (schema !== RESULTS_SCHEMA) throw wrongSchema(schema, where);
  const read = results.safeParse(value, { error: plainWords });
  if (read.success) return read.data;
  throw problem('bad-results', { where, why: firstFault(read.error, value) }, read.error);
}

function parse(text: string, where: string): unknown {
  if (text.length > LONGEST_TEXT) {
    const why = `it is ${text.length} characters long, and at most ${LONGEST_TEXT} are read`;
    throw problem('bad-results', { where, why });
  }
  // Some editors and shells put a byte order mark in front.
  const json = text.replace(/^\uFEFF/, '');
  if (json.trim() === '') throw problem('bad-results', { where, why: 'it is empty' });
  try {
    return JSON.parse(json);
  } catch (error) {
    const why = endsInside(json)
      ? 'it ends in the middle: the run that wrote it, or its copy, was cut short'
      : `it is not JSON (${(error as Error).message})`;
    throw problem('bad-results', { where, why }, error);
  }
}

/** Whether the text stops inside its object or list. */
function endsInside(json: string): boolean {
  if (!/^\s*[[{]/.test(json)) return false;
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*("|$)|[[\]{}]/gs)) {
    // Strings are matched only so that the brackets in them do not count.
    if (!token.startsWith('"')) depth += token === '{' || token === '[' ? 1 : -1;
  }
  return depth > 0;
}

const [FAMILY, MAJOR] = splitSchema(RESULTS_SCHEMA) as [string, number];

function wrongSchema(schema: unknown, where: string): Error {
  const [family, major] = (typeof schema === 'string' && splitSchema(schema)) || [];
  if (family === FAMILY && major !== undefined && major > MAJOR) {
    return problem('newer-results', { where, schema: String(schema), reads: RESULTS_SCHEMA });
  }
  const found = schema === undefined ? 'is missing' : `is ${show(schema)}`;
  return problem('bad-results', { where, why: `its "schema" ${found}, but must be "${RESULTS_SCHEMA}"` });
}

function splitSchema(schema: string): [string, number] | undefined {
  const match = /^(.*)\/(\d+)$/.exec(schema);
  return match === null ? undefined : [match[1], Number(match[2])];
}
