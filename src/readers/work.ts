import type { Step } from '../plan/plan.ts';
import { entriesOf } from './memory.ts';

/** What steps do, counted once and in whole numbers; a machine model turns it into transactions and bytes. */
export interface Work {
  /** Additions, subtractions and multiplications of entries; a change of sign is none. */
  readonly arithmetics: number;
  /** Terms x·y of products, once for each block that the first factor sums: Σ m·k·n·W_A. */
  readonly productTermsA: number;
  /** The same for the second factor. */
  readonly productTermsB: number;
  /** Entries that multiply steps read or write besides their operands. */
  readonly epilogueEntries: number;
  /** Entries that combine steps read or write. */
  readonly combineEntries: number;
}

/**
 * Counts the work of steps. An m×k×n product is m·n·(2k − 1) arithmetics, a two-term update one an entry; a
 * slot is one pass over its block when it is loaded and one when it is stored. Of a factor that sums blocks each addition
 * counts once an entry, as of a sum that is stored; that a kernel repeats it for every block of C it computes is a
 * matter of its blocking. Padding counts where the device computes it, and what an edge cuts off is not moved. Exact while each count is below 2^53, which every plan the compiler accepts keeps.
 */
export function workOf(steps: readonly Step[]): Work {
  let [arithmetics, productTermsA, productTermsB, epilogueEntries, combineEntries] = [0, 0, 0, 0, 0];
  for (const step of steps) {
    const entries = entriesOf(step);
    const moved = step.slots.reduce((sum, { load, store, window }) => {
      const size = window === undefined ? entries : window.rows * window.cols;
      return sum + size * (Number(load) + Number(store));
    }, 0);
    const scalings = step.slots.filter(({ times }) => times !== undefined).length;
    arithmetics += entries * (scalings + Number(step.kind === 'multiply' && step.times !== undefined));
    arithmetics += entries * step.updates.filter(({ terms }) => terms.length > 1).length;
    if (step.kind === 'multiply') {
      const { m, k, n } = step.shape;
      const [xs, ys] = [step.x.length, step.y.length];
      arithmetics += m * n * (2 * k - 1) + (xs - 1) * m * k + (ys - 1) * k * n;
      productTermsA += m * k * n * xs;
      productTermsB += m * k * n * ys;
      epilogueEntries += moved;
    } else {
      combineEntries += moved;
    }
  }
  return { arithmetics, productTermsA, productTermsB, epilogueEntries, combineEntries };
}
