import { lookUp } from '../base/look-up.ts';
import { unknownName } from '../base/messages.ts';
import type { NamedConfig } from './config.ts';
import type { Flags } from './flags.ts';
import { conflictingOptions } from './messages.ts';
import { flagName, type RunOption, runOptions, thresholdOptions } from './run-options.ts';

/** A config with the defaults that do not depend on the device or the kernels. */
export interface Options extends NamedConfig {
  readonly thresholds: { readonly sigmas: number; readonly drift: number };
  readonly reporters: readonly string[];
  readonly out: string;
}

/** What options are when nobody gives them. */
export const defaults: Options = {
  thresholds: { sigmas: 6, drift: 2 },
  reporters: ['json', 'html'],
  out: 'reports/local',
};

/** The options of a run: those of the command line, else those of the config, else the defaults. */
export function mergeOptions(config: NamedConfig, flags: NamedConfig): Options {
  const isLimited = (flags.budget ?? flags.cases) !== undefined;
  return {
    ...defaults,
    ...given(isLimited ? { ...config, budget: undefined, cases: undefined } : config),
    ...given(flags),
    thresholds: {
      ...defaults.thresholds,
      ...given(config.thresholds ?? {}),
      ...given(flags.thresholds ?? {}),
    },
  };
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the keys that are there but undefined, which would hide what they are spread over. */
function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** The names that options may hold, by option. */
export interface KnownNames {
  readonly kernels: readonly string[];
  readonly inputs: readonly string[];
  readonly reporters: readonly string[];
}

/**
 * The options of a command line as a config; options that no config has are left to the caller.
 * @param flags by name in camel case, as `cac` gives them.
 * @throws ParanoiaError `missing-option`, `bad-number`, `unknown-name`, `conflicting-options`
 */
export function parseFlags(flags: Flags, known: KnownNames): NamedConfig {
  const config: NamedConfig = read(runOptions, flags);
  if (config.budget !== undefined && config.cases !== undefined)
    throw conflictingOptions({ one: '--budget', other: '--cases' });
  const thresholds = read(thresholdOptions, flags);
  checkNames(config, known, (_, error) => error);
  return Object.keys(thresholds).length === 0 ? config : { ...config, thresholds };
}

function read(options: Readonly<Record<string, RunOption>>, flags: Flags): Record<string, unknown> {
  const found = Object.entries(options).flatMap(([key, option]) => {
    const name = flagName(option);
    const given = lookUp(
      flags,
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    );
    return given === undefined ? [] : [[key, option.read(`--${name}`, given)] as const];
  });
  return Object.fromEntries(found);
}

const named: Readonly<Record<keyof KnownNames, string>> = {
  kernels: 'kernel',
  inputs: 'input',
  reporters: 'reporter',
};

/**
 * Checks the names in options.
 * @param explain - makes the error to throw of an option's path and the problem `unknown-name`.
 */
export function checkNames(
  config: NamedConfig,
  known: KnownNames,
  explain: (option: string, error: Error) => Error,
): void {
  for (const [option, what] of Object.entries(named) as [keyof KnownNames, string][]) {
    for (const [at, given] of (config[option] ?? []).entries()) {
      if (typeof given !== 'string' || known[option].includes(given)) continue;
      throw explain(`${option}[${at}]`, unknownName({ what, given, known: known[option] }));
    }
  }
}
