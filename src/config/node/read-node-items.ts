import { defineAlgorithm } from '../../algorithms/define-algorithm.ts';
import type { Registry } from '../../base/registry.ts';
import { builtinItems, type JudgingItems } from '../../evidence/items.ts';
import { type AnyReporter, defineReporter, type Reporter, reporters } from '../../pages/node/reporters.ts';
import { addOwnItems, type ConfigItems, listIn, readItems } from '../own-items.ts';
import { withLimitedItems } from './limited-items.ts';
import { addMentionedTables } from './mentioned-tables.ts';

/** Items that a config may define in Node. */
export interface NodeItems extends JudgingItems {
  readonly reporters: Registry<AnyReporter>;
}

export const builtinNodeItems: NodeItems = { ...builtinItems, reporters };

/**
 * Reads items as {@link readItems} does, and also reporters, and tables of the collection that its kernels mention.
 * @throws ParanoiaError `bad-config`, `bad-algorithm`
 */
export function readNodeItems(given: unknown, where: string): ConfigItems<NodeItems> {
  const limited = withLimitedItems(given);
  const { config, items } = readItems(limited, where, defineAlgorithm);
  const define = (one: AnyReporter) => defineReporter(one as Reporter);
  const own = addOwnItems('reporters', reporters, define, { config: limited, where });
  return { config, items: addMentionedTables({ ...items, reporters: own }, listIn(config, 'kernels')) };
}
