import { lookUp } from '../base/objects.ts';
import type { ValueSet } from '../problem/kinds.ts';

/**
 * Part of a run that an option decides: which cases it draws, or has by name, how each is judged (a replay repeats these), when it ends and
 * on how many processes, or what is written.
 */
export type OptionScope = 'cases' | 'named' | 'judging' | 'run' | 'reports';

/** An option: its parsing, its help, its place in a config and its refusals follow from this record. */
export interface Option<T = unknown> {
  /** As help writes it: `--kernel <names>`, `--resume [store]`, `-y, --yes`. */
  readonly flag: string;
  /** One clause, for help and documents. */
  readonly what: string;
  /** Its default in words. */
  readonly usual?: string | undefined;
  readonly scope?: OptionScope | undefined;
  /** Values that a config may hold, or each entry of a list. */
  readonly held: ValueSet;
  /** True if it takes several values, separated by commas or repeated. */
  readonly isList: boolean;
  /**
   * Reads what a command line gives, one text each time that the option stands there.
   * @defaultValue as `held` reads a text; true where there is none
   * @throws ParanoiaError `missing-option`, `empty-item`, `bad-number`, `unknown-name`
   */
  readonly read?: ((option: string, texts: readonly string[]) => T) | undefined;
  /** The option that it depends on, or with which value: `--list`, `--on gpu`. */
  readonly requires?: string | undefined;
  /** OptionTable that contradict it. */
  readonly excludes?: readonly string[] | undefined;
  /** Its relation to `--untrusted`: only with it, never with it, or (undefined) either way. */
  readonly untrusted?: 'only' | 'never' | undefined;
  /** The reason why other runtimes than Node refuse it. */
  readonly nodeOnly?: string | undefined;
}

/** OptionTable by the names of their values. */
export type OptionTable = Readonly<Record<string, Option>>;

/** The values of options, by the names of their records; undefined where an option is not given. */
export type ValuesOf<O extends OptionTable> = {
  readonly [K in keyof O]?: (O[K] extends Option<infer T> ? T : never) | undefined;
};

/** Returns the flag of an option as it is typed: `--time-limit`. */
export const flagOf = ({ flag }: Pick<Option, 'flag'>): string =>
  (/--[\w-]+/.exec(flag) as RegExpExecArray)[0];

/** Records, those of other options left out. @param keys names of their values. */
export const pickOptions = <O extends OptionTable, K extends keyof O>(
  options: O,
  ...keys: readonly K[]
): Pick<O, K> => Object.fromEntries(keys.map((key) => [key, options[key]])) as Pick<O, K>;

/** Returns the flag of the first given option that fulfills a condition. */
export function givenFlag(
  options: OptionTable,
  values: object,
  holds: (option: Option, key: string) => boolean,
): string | undefined {
  const found = Object.entries(options).find(
    ([key, option]) => lookUp(values as Record<string, unknown>, key) !== undefined && holds(option, key),
  );
  return found && flagOf(found[1]);
}

/** Writes the options of a scope with their values, as a command line repeats them: ` --adapter 'software' --untrusted`. */
export function formatOptions(options: OptionTable, values: object, scope: OptionScope): string {
  return Object.entries(options)
    .map(([key, option]) => {
      const value = lookUp(values as Record<string, unknown>, key);
      if (option.scope !== scope || value === undefined) return '';
      return value === true
        ? ` ${flagOf(option)}`
        : ` ${flagOf(option)} ${quoteForShell([value].flat().join(','))}`;
    })
    .join('');
}

/** Quotes a text for a shell, in single quotes. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
