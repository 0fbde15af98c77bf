import { readResults } from '../../src/pages/read-results.ts';
import type { Results } from '../../src/run/results.ts';

/** The state of a command's output file after the command. */
export type Standing = 'older' | 'new' | 'broken' | 'missing';

/** The mark of an older file. */
const OLDER = '2001-01-01T00:00:00.000Z';

/** A file as an earlier run would have left it. */
export function olderOf(path: string, content: Buffer): Buffer {
  const text = content.toString('latin1');
  if (path.endsWith('.json')) {
    const dated = text.replace(/"(createdAt|date)": ?"[^"]*"/, `"$1": "${OLDER}"`);
    return Buffer.from(dated === text ? `${text} ` : dated, 'latin1');
  }
  return Buffer.concat([content, Buffer.from('\nolder\n')]);
}

/** The ends of complete files, by extension. */
const ENDS: readonly (readonly [RegExp, RegExp])[] = [
  [/\.html$/, /<\/html>\n?$/],
  [/\.xml$/, /<\/testsuites>\n?$/],
  [/\.(txt|md|mjs|yml)$/, /\n$/],
];

/** The state of a file: unchanged, replaced as a whole, or neither. */
export function standingOf(path: string, found: Buffer | undefined, older: Buffer | undefined): Standing {
  if (found === undefined) return older === undefined ? 'missing' : 'broken';
  if (older?.equals(found)) return 'older';
  return isWhole(path, found) ? 'new' : 'broken';
}

function isWhole(path: string, found: Buffer): boolean {
  const text = found.toString();
  if (path.endsWith('.npy')) return found.length === NPY;
  if (path.endsWith('.json')) return isJson(text);
  return ENDS.every(([name, end]) => !name.test(path) || end.test(text));
}

/** Bytes of a 3×3 product in binary64 with its header. */
const NPY = 128 + 9 * 8;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The results in a file; undefined if it holds none. */
export function resultsIn(found: Buffer | undefined): Results | undefined {
  if (found === undefined) return undefined;
  try {
    return readResults(found.toString(), 'the results');
  } catch {
    return undefined;
  }
}

/** The part of results in which two runs of a command must agree. */
export function essence({ verdict, summary, cases, groups = [], fuzz }: Results): string {
  const { seconds: _, ...counts } = summary;
  const told = cases.map((result) => `${result.case} ${result.verdict}`);
  return JSON.stringify([verdict, counts, told, groups.length, fuzz === undefined]);
}
