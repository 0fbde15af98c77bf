import type { PrecisionName } from '../formats/precision.ts';
import type { Waiver } from '../gate/waivers.ts';
import type { UserKernel } from '../kernel/user-kernel.ts';
import type { Border, Edge } from '../plan/plan.ts';

/** A size: n for n×n×n, or [m, k, n] for an m×k matrix times a k×n one. */
export type Size = number | readonly [m: number, k: number, n: number];

/** When an error counts as too large. */
export interface Thresholds {
  /** The largest error allowed, in units of the error expected of the algorithm: from 1 to 1000. @defaultValue 6 */
  readonly sigmas?: number | undefined;
  /** The largest ratio allowed of a mean error to its stored baseline: from 1 to 1000. @defaultValue 2 */
  readonly drift?: number | undefined;
}

/** What a run checks, on what, and how it reports. Options of the command line take precedence. */
export interface Config {
  /**
   * The GPU adapter: `hardware`, `software`, or a part of its name.
   * @defaultValue the hardware adapter if there is one, else the software adapter
   */
  readonly adapter?: string | undefined;
  /**
   * The kernels: your own, made with `defineKernel`; those of other libraries, such as `tfjs:wasm`; built-in ones, by full
   * name (`strassen:register`, `classical:tiled-8`), algorithm (`strassen`) or leaf kernel (`:tiled`). An option of the
   * command line chooses among all of them by name.
   * @defaultValue every built-in algorithm with every family of leaf kernels
   */
  readonly kernels?: readonly (string | UserKernel)[] | undefined;
  /** The families of test matrices, such as `uniform`. @defaultValue those that show a fault in binary32 */
  readonly inputs?: readonly string[] | undefined;
  /** Levels of recursion, each from 0 to 15. @defaultValue [0, 1, 2, 3] */
  readonly levels?: readonly number[] | undefined;
  /**
   * The sizes, each from 1 to 32768; all of them are run.
   * @defaultValue two in turn of 1, primes, edges of tiles ±1 and rectangles, and a growth series
   */
  readonly sizes?: readonly Size[] | undefined;
  /** What is computed in, each `f32`, `f16`, `f16-f32`, `bf16-f32`, `tf32-f32`, `f64` or `f32x2`. @defaultValue ['f32'] */
  readonly precisions?: readonly PrecisionName[] | undefined;
  /** Dawn toggles to enable, such as `vulkan_enable_f16_on_nvidia`. @defaultValue none */
  readonly toggles?: readonly string[] | undefined;
  /** What is done about sizes that 2^levels does not divide: `pad`, `peel`. @defaultValue both */
  readonly borders?: readonly Border[] | undefined;
  /** What leaf kernels do about sizes that their tile does not divide: `guard`, `pad`. @defaultValue both */
  readonly edges?: readonly Edge[] | undefined;
  /** What all random numbers come from: a whole number from 0 to 4294967295. @defaultValue 1 */
  readonly seed?: number | undefined;
  /** Seeds for each point of a growth series: from 0, for no series, to 1000. @defaultValue 3; 0 where sizes are given */
  readonly replicates?: number | undefined;
  /** When an error counts as too large. */
  readonly thresholds?: Thresholds | undefined;
  /**
   * Failures that are known and let through until a date. One that has expired, or that no failure needs, fails the gate.
   * @defaultValue none
   */
  readonly waivers?: readonly Waiver[] | undefined;
  /** The folder of stored baselines. @defaultValue 'fixtures/baselines' */
  readonly baselines?: string | undefined;
  /** The reports to write: `table`, `json`, `junit`, `markdown`. @defaultValue ['json'] */
  readonly reporters?: readonly string[] | undefined;
  /** The folder that reports are written to. @defaultValue 'reports/local' */
  readonly out?: string | undefined;
  /** Seconds after which no more cases are begun: from 1 to 604800. @defaultValue no limit */
  readonly timeLimit?: number | undefined;
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
