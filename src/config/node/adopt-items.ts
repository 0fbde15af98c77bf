import { defineReporter, type Reporter, reporters } from '../../pages/node/reporters.ts';
import { adoptItems, place } from '../own-items.ts';

const ofReporters = place('reporters', reporters, (given) => defineReporter(given as Reporter));

/** {@link adoptItems}, reporters among them. @throws ParanoiaError `bad-config` */
export const adoptAllItems = (config: unknown, where: string): unknown =>
  adoptItems(config, where, [ofReporters]);
