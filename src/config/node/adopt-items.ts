import type { Registry } from '../../base/registry.ts';
import { shelveCollection } from '../../collection/node/shelf.ts';
import { builtinItems, type Items } from '../../evidence/items.ts';
import { type AnyReporter, defineReporter, type Reporter, reporters } from '../../pages/node/reporters.ts';
import { ofAlgorithms } from '../own-algorithms.ts';
import { adoptItems, type ReadItems, withOwn } from '../own-items.ts';
import { withLimitedItems } from './limited-items.ts';

/** The items that a config may bring in Node. */
export interface NodeItems extends Items {
  readonly reporters: Registry<AnyReporter>;
}

export const builtinNodeItems: NodeItems = { ...builtinItems, reporters };

/** {@link adoptItems}, reporters among them; the tables of the collection can be named from then on. @throws ParanoiaError `bad-config` */
export function adoptAllItems(config: unknown, where: string): ReadItems<NodeItems> {
  shelveCollection();
  const limited = withLimitedItems(config);
  const { config: named, items } = adoptItems(limited, where, [ofAlgorithms]);
  const define = (given: AnyReporter) => defineReporter(given as Reporter);
  return {
    config: named,
    items: { ...items, reporters: withOwn('reporters', reporters, define, { config: limited, where }) },
  };
}
