import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Collected } from '../collected.ts';
import { requireExact } from '../exact-brent.ts';
import { tableUnreadable } from '../messages.ts';
import { parseTable } from '../table-text.ts';

/** Where the tables lie that come with the package, a file each. */
export const TABLES = fileURLToPath(new URL('../../../fixtures/algorithms/', import.meta.url));

/** The names of tables, in order. */
export const tableNames = (folder = TABLES): string[] =>
  readdirSync(folder)
    .flatMap((file) => /^([a-z][a-z0-9-]*)\.txt$/.exec(file)?.[1] ?? [])
    .sort();

/**
 * A table, checked by the Brent equations.
 * @throws ParanoiaError `table-unreadable`, `table-wrong`
 */
export function readTable(name: string, folder = TABLES): Collected {
  return requireExact(parseTable(name, textOf(name, folder)));
}

function textOf(name: string, folder: string): string {
  try {
    return readFileSync(`${folder}/${name}.txt`, 'utf8');
  } catch (error) {
    throw tableUnreadable({ file: `${name}.txt`, why: (error as Error).message }, error);
  }
}
