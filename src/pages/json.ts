import { formatJson } from '../base/numbers.ts';
import type { Results } from '../run/results.ts';

/**
 * Writes the results file in parts, since the whole may exceed the longest string. Each item of a list stands on one line, so that a case
 * is one line. Results with the same content and order of keys give the same text. Numbers that JSON cannot hold are written as the schema
 * writes them, never as null.
 */
export function* jsonParts(results: Results): Generator<string> {
  yield* laidOut(results, '');
  yield '\n';
}

/** Writes {@link jsonParts} as one text. @throws RangeError where it is too long for a string */
export const jsonReport = (results: Results): string => [...jsonParts(results)].join('');

function* laidOut(value: unknown, indent: string): Generator<string> {
  if (typeof value !== 'object' || value === null) return yield formatJson(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList ? value.map((item) => [undefined, item] as const) : entriesOf(value);
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return yield `${open}${close}`;
  yield open;
  for (const [at, [key, item]] of items.entries()) {
    yield `${at === 0 ? '' : ','}\n${inner}`;
    if (key === undefined) yield formatJson(item);
    else {
      yield `${JSON.stringify(key)}: `;
      yield* laidOut(item, inner);
    }
  }
  yield `\n${indent}${close}`;
}

const entriesOf = (value: object): (readonly [string, unknown])[] =>
  Object.entries(value).filter(([, item]) => item !== undefined);
