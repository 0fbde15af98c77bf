import { existsSync } from 'node:fs';
import type { Algorithm } from '../../algorithms/algorithm.ts';
import { Memo } from '../../base/memo.ts';
import type { Registry } from '../../base/registry.ts';
import { asAlgorithm } from '../as-algorithm.ts';
import { readTable, TABLES } from './read-tables.ts';

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
