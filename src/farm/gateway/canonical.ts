import { toReal } from '../../base/real.ts';
import { badMessage } from '../messages.ts';

/** How deep a message may be nested: results are eight deep. */
const DEEPEST = 32;

/**
 * One text of a value, whatever the order of its keys: JSON with sorted keys and no spaces, numbers as ECMAScript writes them
 * (RFC 8785, for the values that JSON has).
 * @throws ParanoiaError `bad-message` of what is nested deeper than any message of ours
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw badMessage({ why: `it is nested deeper than ${DEEPEST}` });
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null, depth + 1)).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item, depth + 1)}`).join()}}`;
}

/** A value as it is on the other side: numbers that JSON cannot hold are written as results write them. */
export const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? toReal(item) : item)));
