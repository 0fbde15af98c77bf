import { existsSync } from 'node:fs';
import type { Algorithm } from '../../algorithms/algorithm.ts';
import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import { asAlgorithm } from '../as-algorithm.ts';
import { readTable, TABLES } from './read-tables.ts';

/** Names of the collection are those of files: nothing that leads elsewhere. */
const NAME = /^[a-z][a-z0-9-]*$/;

/** What was taken in from there. */
const taken = new WeakSet<Algorithm>();

/**
 * From then on algorithms of the collection are found by their names, each read and checked when it is first asked for. They are not
 * among those that a gate runs or `list` prints unasked.
 */
export function shelveCollection(): void {
  algorithmRegistry.shelve((name) => {
    if (!NAME.test(name) || !existsSync(`${TABLES}${name}.txt`)) return undefined;
    const algorithm = asAlgorithm(readTable(name));
    taken.add(algorithm);
    return algorithm;
  });
}

/** Whether a kernel of ours computes by a table of the collection that was taken in. */
export const isOfCollection = (kernel: string): boolean =>
  algorithmRegistry.items.some((one) => one.name === kernel.split(':')[0] && taken.has(one));
