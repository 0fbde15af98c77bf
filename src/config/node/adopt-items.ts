import { shelveCollection } from '../../collection/node/shelf.ts';
import { defineReporter, type Reporter, reporters } from '../../pages/node/reporters.ts';
import { ofAlgorithms } from '../own-algorithms.ts';
import { adoptItems, place, type ReadItems } from '../own-items.ts';
import { withLimitedItems } from './limited-items.ts';

const ofReporters = place('reporters', reporters, (given) => defineReporter(given as Reporter));

/** {@link adoptItems}, reporters among them; the tables of the collection can be named from then on. @throws ParanoiaError `bad-config` */
export function adoptAllItems(config: unknown, where: string): ReadItems {
  shelveCollection();
  return adoptItems(withLimitedItems(config), where, [ofAlgorithms, ofReporters]);
}
