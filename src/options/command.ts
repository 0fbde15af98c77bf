import { flag } from './kinds.ts';
import type { OptionTable, ValuesOf } from './option.ts';

/** Options of every command. */
export const common = {
  verbose: flag('--verbose', "Print all results, stack traces and the kernels' standard error"),
} as const satisfies OptionTable;

/** The values of the options of a command. */
export type OptionValues<O extends OptionTable = OptionTable> = ValuesOf<O & typeof common>;

/** A command: its help, the options and arguments that it takes, and the function that runs it. */
export interface Command<O extends OptionTable = OptionTable> {
  readonly what: string;
  /** Its arguments: `<results.json>`, `[...files#kernels]`. */
  readonly args?: string;
  /** Its options, in the order of its help. */
  readonly options: O;
  readonly example?: string;
  /**
   * Runs the command. Its modules load on demand, since help and wrong calls need none of them.
   * @returns its exit code
   */
  readonly run: (values: OptionValues<O>, args: readonly string[]) => Promise<number>;
}

/** Commands by the words that name them: `farm submit`. */
export type Commands = Readonly<Record<string, Command>>;

/** Infers the type of the values that `run` receives from the command's options. */
export const command = <const O extends OptionTable>(record: Command<O>): Command =>
  record as unknown as Command;
