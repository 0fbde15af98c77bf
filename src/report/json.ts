import { type Results, toReal } from '../gate/results.ts';

/**
 * The results file. Results with the same content and order of keys give the same text; numbers that JSON cannot
 * hold are written as the schema writes them, never as null.
 */
export function jsonReport(results: Results): string {
  const keep = (_: string, value: unknown) => (typeof value === 'number' ? toReal(value) : value);
  return `${JSON.stringify(results, keep, 2)}\n`;
}
