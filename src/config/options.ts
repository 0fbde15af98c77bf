import { unknownName } from '../base/messages.ts';
import { withoutUndefined } from '../base/objects.ts';
import type { Thresholds } from '../evidence/checks/check.ts';
import type { RunRequest } from './command-options.ts';
import type { NamedConfig } from './config.ts';
import { defaults, runOptions } from './run-options.ts';

/** A config with the defaults that do not depend on the device or the kernels. */
export interface RunOptions extends NamedConfig {
  readonly thresholds: Thresholds;
  readonly reporters: readonly string[];
  readonly out: string;
}

/** Returns the options of a run: those of the command line, else those of the config, else the defaults. */
export function mergeOptions(config: NamedConfig, request: RunRequest): RunOptions {
  const isLimited = (request.budget ?? request.cases) !== undefined;
  const { sigmas, drift } = request;
  const keys = Object.keys(runOptions) as (keyof typeof runOptions)[];
  return {
    ...defaults,
    ...withoutUndefined(isLimited ? { ...config, budget: undefined, cases: undefined } : config),
    ...withoutUndefined(Object.fromEntries(keys.map((key) => [key, request[key]]))),
    thresholds: {
      ...defaults.thresholds,
      ...withoutUndefined(config.thresholds ?? {}),
      ...withoutUndefined({ sigmas, drift }),
    },
  };
}

/** Names that options may hold, by option. */
export interface KnownNames {
  readonly kernels: readonly string[];
  readonly inputs: readonly string[];
  readonly reporters: readonly string[];
}

const named: Readonly<Record<keyof KnownNames, string>> = {
  kernels: 'kernel',
  inputs: 'input',
  reporters: 'reporter',
};

/**
 * Checks the names in options.
 * @param explain makes the error to throw from an option's path and the error `unknown-name`
 */
export function checkNames(
  config: NamedConfig,
  known: KnownNames,
  explain: (option: string, error: Error) => Error = (_, error) => error,
): void {
  for (const [option, what] of Object.entries(named) as [keyof KnownNames, string][]) {
    for (const [at, given] of (config[option] ?? []).entries()) {
      if (typeof given !== 'string' || known[option].includes(given)) continue;
      // A pattern such as ":tiled" is proposed only to a pattern.
      const like = known[option].filter((name) => name.startsWith(':') === given.startsWith(':'));
      throw explain(`${option}[${at}]`, unknownName({ what, given, known: like }));
    }
  }
}
