import type { Step } from '../plan/plan.ts';
import { entriesOf } from './memory.ts';

/** What steps do, counted once and in whole numbers; a machine model turns it into transactions and bytes. */
export interface Work {
  /** Additions, subtractions and multiplications of entries; a change of sign is none. */
  readonly arithmetics: number;
  /** Terms x·y of products: Σ m·k·n. */
  readonly productTerms: number;
  /** Entries that multiply steps read or write besides their operands. */
  readonly epilogueEntries: number;
  /** Entries that combine steps read or write. */
  readonly combineEntries: number;
}

/**
 * Counts the work of steps. An m×k×n product is m·n·(2k − 1) arithmetics, a two-term update one an entry; a
 * slot is one pass over its block when it is loaded and one when it is stored. Padding counts where the device
 * computes it. Exact while each count is below 2^53, which every plan the compiler accepts keeps.
 */
export function workOf(steps: readonly Step[]): Work {
  let [arithmetics, productTerms, epilogueEntries, combineEntries] = [0, 0, 0, 0];
  for (const step of steps) {
    const entries = entriesOf(step);
    const passes = step.slots.reduce((sum, { load, store }) => sum + Number(load) + Number(store), 0);
    arithmetics += entries * step.updates.filter(({ terms }) => terms.length > 1).length;
    if (step.kind === 'multiply') {
      const { m, k, n } = step.shape;
      arithmetics += m * n * (2 * k - 1);
      productTerms += m * k * n;
      epilogueEntries += entries * passes;
    } else {
      combineEntries += entries * passes;
    }
  }
  return { arithmetics, productTerms, epilogueEntries, combineEntries };
}
