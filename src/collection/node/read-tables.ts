import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Algorithm } from '../../algorithms/algorithm.ts';
import { Memo } from '../../base/memo.ts';
import { fileReason } from '../../base/node/read-file.ts';
import type { Registry } from '../../base/registry.ts';
import { asAlgorithm } from '../as-algorithm.ts';
import { type CollectionTable, requireExactTable } from '../collected.ts';
import { tableUnreadable } from '../messages.ts';
import { parseTable } from '../table-text.ts';

/** The folder of the tables of the package, one file each. */
export const TABLES = fileURLToPath(new URL('../../../fixtures/algorithms/', import.meta.url));

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

/** Names in the collection. They are file names, so they cannot lead to another folder. */
const NAME = /^[a-z][a-z0-9-]*$/;

const tables = new Memo<Algorithm>(64);

/** Returns the algorithm of a table by name. Undefined where the collection has none. @throws ParanoiaError `bad-algorithm` */
function collectedAlgorithm(name: string): Algorithm | undefined {
  if (!NAME.test(name) || !existsSync(`${TABLES}${name}.txt`)) return undefined;
  return tables.get(name, () => asAlgorithm(readTable(name)));
}

/**
 * Adds to algorithms the named tables of the collection that are not among them. Unnamed tables are neither run by a gate nor printed by
 * `list`.
 * @throws ParanoiaError `bad-algorithm`
 */
export function addCollectionTables(
  algorithms: Registry<Algorithm>,
  names: readonly string[],
): Registry<Algorithm> {
  const unknown = [...new Set(names)].filter((name) => algorithms.get(name) === undefined);
  const more = unknown.flatMap((name) => collectedAlgorithm(name) ?? []);
  return more.length === 0 ? algorithms : algorithms.with(more, 'the collection');
}

/** True if one of our kernels computes with a table of the collection. */
export function isOfCollection(kernel: string, algorithms: Registry<Algorithm>): boolean {
  const table = algorithms.get(kernel.split(':')[0]);
  return table !== undefined && table === collectedAlgorithm(table.name);
}
