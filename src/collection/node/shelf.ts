import { existsSync } from 'node:fs';
import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import { asAlgorithm } from '../as-algorithm.ts';
import { readTable, TABLES } from './read-tables.ts';

/** Names of the collection are those of files: nothing that leads elsewhere. */
const NAME = /^[a-z][a-z0-9-]*$/;

/**
 * From then on algorithms of the collection are found by their names, each read and checked when it is first asked for. They are not
 * among those that a gate runs or `list` prints unasked.
 */
export function shelveCollection(): void {
  algorithmRegistry.shelve((name) =>
    NAME.test(name) && existsSync(`${TABLES}${name}.txt`) ? asAlgorithm(readTable(name)) : undefined,
  );
}
