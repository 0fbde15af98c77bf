import { defineAlgorithm } from '../../algorithms/define-algorithm.ts';
import type { Registry } from '../../base/registry.ts';
import { builtinItems, type Items } from '../../evidence/items.ts';
import { type AnyReporter, defineReporter, type Reporter, reporters } from '../../pages/node/reporters.ts';
import { listIn, type ReadItems, readItems, withOwn } from '../own-items.ts';
import { withLimitedItems } from './limited-items.ts';
import { withMentioned } from './mentioned.ts';

/** Items that a config may define in Node. */
export interface NodeItems extends Items {
  readonly reporters: Registry<AnyReporter>;
}

export const builtinNodeItems: NodeItems = { ...builtinItems, reporters };

/**
 * Reads items as {@link readItems} does, and also reporters, and tables of the collection that its kernels mention.
 * @throws ParanoiaError `bad-config`, `bad-algorithm`
 */
export function readNodeItems(given: unknown, where: string): ReadItems<NodeItems> {
  const limited = withLimitedItems(given);
  const { config, items } = readItems(limited, where, defineAlgorithm);
  const define = (one: AnyReporter) => defineReporter(one as Reporter);
  const own = withOwn('reporters', reporters, define, { config: limited, where });
  return { config, items: withMentioned({ ...items, reporters: own }, listIn(config, 'kernels')) };
}
