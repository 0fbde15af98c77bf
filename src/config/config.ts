import type { Algorithm } from '../algorithms/algorithm.ts';
import type { Item } from '../base/registry.ts';
import type { Check } from '../evidence/checks/check.ts';
import type { InputFamily } from '../inputs/input.ts';
import type { ValuesOf } from '../options/option.ts';
import type { Precision } from '../precision/precision.ts';
import type { Waiver } from '../run/waivers.ts';
import type { runOptions, thresholdOptions } from './run-options.ts';

/** Thresholds at which an error counts as too large; each from 1 to 1000. */
export type ThresholdOptions = ValuesOf<typeof thresholdOptions>;

/** A config that refers to its items by name: the form that runs read. */
export interface NamedConfig extends ValuesOf<typeof runOptions> {
  /** Made with `defineAlgorithm`; `mine` gives the kernels `mine:register`, `mine:fused`, …. @defaultValue none */
  readonly algorithms?: readonly Algorithm[] | undefined;
  /** Made with `defineCheck`, applied to every case after ours. @defaultValue none */
  readonly checks?: readonly Check[] | undefined;
  /** Studies of your own, made with `defineStudy`, for the command `study`. @defaultValue none */
  readonly studies?: readonly Item[] | undefined;
  readonly thresholds?: ThresholdOptions | undefined;
  /**
   * Known failures that are tolerated until a date. A waiver that has expired, or that no failure needs, fails the gate.
   * @defaultValue none
   */
  readonly waivers?: readonly Waiver[] | undefined;
}

/** The config of a run: its checks, its subjects and its reports. Options of the command line take precedence. */
export interface Config extends Omit<NamedConfig, 'inputs' | 'precisions' | 'reporters'> {
  /** Names, and inputs made with `defineInput`. @defaultValue those that expose faults in binary32 */
  readonly inputs?: readonly (string | InputFamily)[] | undefined;
  /** Names, and precisions made with `definePrecision`. @defaultValue f32 */
  readonly precisions?: readonly (string | Precision)[] | undefined;
  /** Names, and reporters made with `defineReporter`. @defaultValue json and html */
  readonly reporters?: readonly (string | Item)[] | undefined;
}

/**
 * Types the config of a `paranoia.config.ts`:
 *
 * ```ts
 * export default defineConfig({ kernels: ['strassen'], sizes: [64, [129, 65, 33]] });
 * ```
 */
export function defineConfig(config: Config): Config {
  return config;
}
