import { dirname, resolve } from 'node:path';
import { algorithmRegistry } from '../../algorithms/algorithms.ts';
import type { FileOrigin, FileWays } from '../../kernels/files/file-origin.ts';
import type { NamedConfig } from '../config.ts';
import { type OnWrongKernel, parseConfig } from '../schema.ts';
import { adoptAllItems, type NodeItems } from './adopt-items.ts';
import { withFileKernels } from './file-kernels.ts';
import { findConfig } from './find-config.ts';
import { importConfig } from './import-config.ts';
import { knownNames } from './known-names.ts';

/** A config and the file it is from; an empty config where there is no file. */
export interface LoadedConfig {
  readonly config: NamedConfig;
  /** The built-in items and its own. */
  readonly items: NodeItems;
  readonly path?: string;
  /** Where its kernels are that it names by a file. */
  readonly files?: readonly FileOrigin[];
}

/**
 * Loads the config and opens the registries of this process to its items: the file at `path`, else the nearest `paranoia.config.*` in the folder or above it.
 * @throws ParanoiaError `config-unreadable` for a file that is missing, throws, or has no default export; `bad-config`; and those of
 * kernels that it names by a file.
 */
export async function loadConfig({
  path: given,
  cwd = process.cwd(),
  ways = {},
  onWrongKernel,
}: {
  path?: string | undefined;
  cwd?: string;
  ways?: FileWays;
  onWrongKernel?: OnWrongKernel | undefined;
} = {}): Promise<LoadedConfig> {
  const path = given === undefined ? findConfig(cwd) : resolve(cwd, given);
  if (path === undefined) return withoutConfig();
  const { config: named, items } = adoptAllItems(await importConfig(path), path);
  takeIn(named);
  const known = knownNames(items);
  const whole = await withFileKernels(named, { folder: dirname(path), ways, known: known.kernels, items });
  return {
    ...{ config: parseConfig(whole.config, known, path, onWrongKernel), items, path },
    ...(whole.files.length === 0 ? {} : { files: whole.files }),
  };
}

/** Takes in algorithms of the collection that a config names kernels by. @throws ParanoiaError `bad-algorithm` */
function takeIn(config: unknown): void {
  const { kernels } = (config ?? {}) as { readonly kernels?: unknown };
  for (const kernel of Array.isArray(kernels) ? kernels : [])
    if (typeof kernel === 'string') algorithmRegistry.has(kernel.split(':')[0]);
}

/** Opens the registries of this process to our items alone. */
export function withoutConfig(): LoadedConfig {
  return { config: {}, items: adoptAllItems({}, 'no config').items };
}
