import { toReal } from '../base/real.ts';
import type { Results } from '../run/results.ts';

/**
 * The results file: of a list an item a line, so that a case is one line. Results with the same content and order of keys
 * give the same text; numbers that JSON cannot hold are written as the schema writes them, never as null.
 */
export function jsonReport(results: Results): string {
  return `${laidOut(results, '')}\n`;
}

function laidOut(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return onOneLine(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => onOneLine(item))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${JSON.stringify(key)}: ${laidOut(item, inner)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}`;
}

const onOneLine = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'number' ? toReal(item) : item));
