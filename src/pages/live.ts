import type { Item } from '../base/registry.ts';
import { DEFAULT_WIDTH } from '../report/terminal/text.ts';
import type { Results } from '../run/results.ts';
import type { Progress, ProgressOptions } from './progress.ts';
import { type CaseStanding, standingOf } from './standing.ts';

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
  readonly file: string;
  /** From 1; absent where no line is known for the definition. */
  readonly line?: number | undefined;
}

/** The character and color of each standing. */
const DOTS: Readonly<Record<CaseStanding, readonly [string, 'green' | 'red' | 'yellow']>> = {
  pass: ['.', 'green'],
  fail: ['F', 'red'],
  inconclusive: ['?', 'yellow'],
  waived: ['w', 'yellow'],
};

/** Shows the progress as one character a case, in lines as wide as the stream. */
export function startDots({ stream, colors, width = DEFAULT_WIDTH }: ProgressOptions): Progress {
  let column = 0;
  const end = () => {
    if (column > 0) stream.write('\n');
    column = 0;
  };
  return {
    done(result) {
      const [dot, color] = DOTS[standingOf(result)];
      stream.write(colors[color](dot));
      column += 1;
      if (column >= Math.max(1, stream.columns ?? width)) end();
    },
    say: () => undefined,
    finish: end,
  };
}
