import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileReason } from '../../base/node/file-reason.ts';
import type { CollectionTable } from '../collected.ts';
import { requireExactTable } from '../exact-brent.ts';
import { tableUnreadable } from '../messages.ts';
import { parseTable } from '../table-text.ts';

/** The folder of the tables of the package, one file each. */
export const TABLES = fileURLToPath(new URL('../../../fixtures/algorithms/', import.meta.url));

/** Returns the names of tables, in order. */
export const tableNames = (folder = TABLES): string[] =>
  readdirSync(folder)
    .flatMap((file) => /^([a-z][a-z0-9-]*)\.txt$/.exec(file)?.[1] ?? [])
    .sort();

/**
 * Reads a table of the package and checks it by the Brent equations.
 * @throws ParanoiaError `table-unreadable`, `table-wrong`
 */
export const readTable = (name: string): CollectionTable => readTableFile(`${TABLES}${name}.txt`);

/** Reads a table from a file, and names it after the file. @throws ParanoiaError `table-unreadable`, `table-wrong` */
export function readTableFile(path: string): CollectionTable {
  return requireExactTable(parseTable(basename(path).replace(/\.txt$/, ''), textOf(path)));
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw tableUnreadable({ file: path, why: fileReason(error) }, error);
  }
}
