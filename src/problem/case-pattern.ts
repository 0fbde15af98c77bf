import { unknownName } from '../base/messages.ts';
import { type Case, flattenCase } from './case.ts';
import { allFields } from './fields.ts';
import type { KnownFieldNames, Matcher } from './kinds.ts';
import { badPattern } from './messages.ts';
import type { FlatCase } from './problem.ts';

/** Returns true if a pattern matches a case. */
export type CasePattern = (value: Case) => boolean;

const keys = allFields.flatMap(({ key }) => (key === 'fault' ? [] : [key]));

/**
 * Reads a pattern of cases: a case with its keys in any order. A missing key, or the value `*`, matches anything. A `*` within a name
 * matches any characters, and `1..16` the numbers from 1 to 16. No pattern matches a case with a planted fault.
 * @param known the names that it may hold. @defaultValue any
 * @throws ParanoiaError `unknown-name` for keys and names, `bad-pattern` for anything else.
 */
export function parsePattern(text: string, known: KnownFieldNames = {}): CasePattern {
  const given = new Map<string, Matcher<FlatCase>>();
  for (const part of text.split(';').map((piece) => piece.trim())) {
    if (part === '' || part === '*') continue;
    const equals = part.indexOf('=');
    if (equals < 0) throw badPattern({ given: text, why: `"${part}" has no "="` });
    const [key, value] = [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
    const field = allFields.find((candidate) => candidate.key === key && key !== 'fault');
    if (field === undefined) throw unknownName({ what: 'key in a pattern', given: key, known: keys });
    if (given.has(key)) throw badPattern({ given: text, why: `it has "${key}" twice` });
    if (value === '') throw badPattern({ given: text, why: `"${key}" has no value` });
    const matches = field.kind.matcher(key, value, known);
    given.set(key, (all) => matches(all[field.key]));
  }
  if (given.size === 0) throw badPattern({ given: text, why: 'it would match every case' });
  const all = [...given.values()];
  return (value) => {
    if (value.fault !== undefined) return false;
    const said = flattenCase(value);
    return all.every((matches) => matches(said));
  };
}
