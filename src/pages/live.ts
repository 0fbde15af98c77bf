import type { Item } from '../base/registry.ts';
import type { Results } from '../run/results.ts';
import type { Progress, ProgressOptions } from './progress.ts';

/** A reporter that prints during a run, on the terminal or in the log of a CI server, and writes no file. */
export interface LiveReporter extends Item {
  /** Starts to report a run. */
  start(): LiveOutput;
}

/** The output of a reporter during one run. */
export interface LiveOutput {
  /** Printed on standard output before the first case. */
  readonly opening?: string;
  /** Shows the progress in place of the default progress line. */
  readonly progress?: (options: ProgressOptions) => Progress;
  /** Printed on standard output below the results. */
  readonly closing?: (results: Results, definedAt: DefinitionLookup) => string;
}

/** Returns the place where the kernel of a name is defined, if it is known. */
export type DefinitionLookup = (kernel: string) => SourceLocation | undefined;

/** A file, and a line in it. */
export interface SourceLocation {
  /** Its absolute path. */
  readonly file: string;
  /** From 1; absent where no line is known for the definition. */
  readonly line?: number | undefined;
}
