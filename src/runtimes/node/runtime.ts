import type { Item } from '../../base/registry.ts';
import type { SoftwareDriver } from '../../gpu/node/swiftshader.ts';

/** A runtime with WebGPU other than Node: how to find and start it. */
export interface Runtime extends Item {
  /** Its implementation of WebGPU. */
  readonly by: string;
  /** The environment variable with the path of its program. */
  readonly variable: string;
  /** Names of its program in the path. */
  readonly commands: readonly string[];
  /** Places of its program outside the path. */
  readonly places: readonly string[];
  /** Instructions to install it, as the beginning of a sentence. */
  readonly install: string;
  /** Advice for a missing adapter: sentences without the last full stop. */
  readonly advice: string;
  readonly hasNode: boolean;
  /** True if it can enable toggles of Dawn. */
  readonly takesToggles: boolean;
  /** True if it has a software adapter of its own. */
  readonly bringsSoftware: boolean;
  start(how: StartOptions): RuntimeStart;
}

export interface StartOptions {
  /** The page to open, and the module that it loads. */
  readonly page: URL;
  readonly module: URL;
  readonly folder: string;
  /** Toggles of Dawn. */
  readonly toggles: readonly string[];
  /** The software driver to compute with; `own` for that of the runtime. */
  readonly software: SoftwareDriver | 'own' | undefined;
}

/** Arguments of a command, and its environment and files. */
export interface RuntimeStart {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files to write to its folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Returns environment variables that select a driver, and a loader where the system has none. */
export function driverVariables(driver: StartOptions['software']): Readonly<Record<string, string>> {
  if (driver === undefined || driver === 'own') return {};
  const { icd, loader } = driver;
  const folder = loader.slice(0, Math.max(0, loader.lastIndexOf('/')));
  return { VK_DRIVER_FILES: icd, VK_ICD_FILENAMES: icd, LD_LIBRARY_PATH: folder };
}
