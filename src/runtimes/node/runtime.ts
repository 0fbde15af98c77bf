import type { Item } from '../../base/registry.ts';
import type { SoftwareDriver } from '../../gpu/node/swiftshader.ts';

/** A runtime that has WebGPU and is no Node: how it is found and started. */
export interface Runtime extends Item {
  /** What computes for it. */
  readonly by: string;
  /** The environment variable that names it. */
  readonly variable: string;
  /** What it is called in the path. */
  readonly commands: readonly string[];
  /** Where it is where it is not in the path. */
  readonly places: readonly string[];
  /** How it is installed, as the beginning of a sentence. */
  readonly install: string;
  /** What gives it an adapter, as a clause. */
  readonly advice: string;
  /** Whether it has the modules of Node. */
  readonly hasNode: boolean;
  /** Whether it is told to enable toggles of Dawn. */
  readonly takesToggles: boolean;
  /** Whether it brings an adapter that computes in software. */
  readonly bringsSoftware: boolean;
  /** How it is started. */
  start(how: StartOptions): RuntimeStart;
}

/** What a runtime is started for. */
export interface StartOptions {
  /** The page to open, and the module that it loads. */
  readonly page: URL;
  readonly module: URL;
  /** An empty folder of its own. */
  readonly folder: string;
  /** Toggles of Dawn. */
  readonly toggles: readonly string[];
  /** The driver that it is to compute with, where that is software; `own` where it brings one. */
  readonly software: SoftwareDriver | 'own' | undefined;
}

/** A command without its program, and what it finds. */
export interface RuntimeStart {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files that it finds in its folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Variables that have a program find a driver, and a loader where the system has none. */
export function driverVariables(driver: StartOptions['software']): Readonly<Record<string, string>> {
  if (driver === undefined || driver === 'own') return {};
  const { icd, loader } = driver;
  const folder = loader.slice(0, Math.max(0, loader.lastIndexOf('/')));
  return { VK_DRIVER_FILES: icd, VK_ICD_FILENAMES: icd, LD_LIBRARY_PATH: folder };
}
