import type { Item } from '../base/registry.ts';
import type { Results } from '../run/results.ts';
import type { Progress, ProgressOptions } from './progress.ts';

/** A reporter that goes along with a run, on the terminal or in the log of a CI server, and writes no file. */
export interface LiveReporter extends Item {
  /** Begins with a run. */
  start(): Live;
}

/** What a reporter says of one run. */
export interface Live {
  /** Printed on standard output before the first case. */
  readonly opening?: string;
  /** Shows the progress in place of the line that does. */
  readonly progress?: (options: ProgressOptions) => Progress;
  /** Printed on standard output below the results. */
  readonly closing?: (results: Results, definedAt: DefinedAt) => string;
}

/** Where the kernel of a name is defined, as far as that is known. */
export type DefinedAt = (kernel: string) => Place | undefined;

/** A file, and a line of it. */
export interface Place {
  /** Its absolute path. */
  readonly file: string;
  /** From 1; absent where no line is known to define what is looked for. */
  readonly line?: number | undefined;
}
