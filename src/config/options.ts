import type { Config } from './config.ts';

/** A config with the defaults that do not depend on the device or the kernels. */
export interface Options extends Config {
  readonly seed: number;
  readonly thresholds: { readonly sigmas: number; readonly drift: number };
  readonly reporters: readonly string[];
  readonly out: string;
}

/** What options are when nobody gives them. */
export const defaults: Options = {
  seed: 1,
  thresholds: { sigmas: 6, drift: 2 },
  reporters: ['json'],
  out: 'reports/local',
};

/** The options of a run: those of the command line, else those of the config, else the defaults. */
export function mergeOptions(config: Config, flags: Config): Options {
  return {
    ...defaults,
    ...given(config),
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
