import { existsSync } from 'node:fs';
import type { Algorithm } from '../../algorithms/algorithm.ts';
import { Memo } from '../../base/memo.ts';
import type { Registry } from '../../base/registry.ts';
import { asAlgorithm } from '../as-algorithm.ts';
import { readTable, TABLES } from './read-tables.ts';

/** Names of the collection are those of files: nothing that leads elsewhere. */
const NAME = /^[a-z][a-z0-9-]*$/;

const tables = new Memo<Algorithm>(64);

/** The table of a name, as what kernels compute by; undefined where the collection has none. @throws ParanoiaError `bad-algorithm` */
function collectedAlgorithm(name: string): Algorithm | undefined {
  if (!NAME.test(name) || !existsSync(`${TABLES}${name}.txt`)) return undefined;
  return tables.get(name, () => asAlgorithm(readTable(name)));
}

/**
 * Algorithms, and tables of the collection that are named and are not among them. Others of its tables are not among those that a
 * gate runs or `list` prints unasked.
 * @throws ParanoiaError `bad-algorithm`
 */
export function withCollected(
  algorithms: Registry<Algorithm>,
  names: readonly string[],
): Registry<Algorithm> {
  const unknown = [...new Set(names)].filter((name) => algorithms.get(name) === undefined);
  const more = unknown.flatMap((name) => collectedAlgorithm(name) ?? []);
  return more.length === 0 ? algorithms : algorithms.with(more, 'the collection');
}

/** True if a kernel of ours computes by a table of the collection. */
export function isOfCollection(kernel: string, algorithms: Registry<Algorithm>): boolean {
  const table = algorithms.get(kernel.split(':')[0]);
  return table !== undefined && table === collectedAlgorithm(table.name);
}
