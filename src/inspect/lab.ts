import type { Random } from '../inputs/random.ts';
import type { Asker } from './asker.ts';
import type { Finding, Measured } from './inspection.ts';

/** What every line of questions works with: the kernel to ask, and what earlier lines have found. */
export interface Lab {
  readonly asker: Asker;
  readonly random: Random;
  readonly quick: boolean;
  /** Sizes n of n×n×n at which the algorithm is asked. */
  readonly sizes: readonly number[];
  /** Whether all of them are asked, however long it takes. */
  readonly allSizes: boolean;
  readonly measured: Measured;
  /** Whether to ask no further. */
  readonly stop: () => boolean;
}

/** A question or a few that belong together. */
export interface Line {
  readonly id: string;
  readonly question: string;
  /** @throws Problem of the kernel: then the answer is that it could not be asked. */
  ask(lab: Lab): Promise<Finding[]>;
}
