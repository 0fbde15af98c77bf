import { dirname, resolve } from 'node:path';
import type { FileOrigin, FileReadOptions } from '../../kernels/files/file-origin.ts';
import type { NamedConfig } from '../config.ts';
import { listIn } from '../own-items.ts';
import { parseConfig, type WrongKernelHandler } from '../schema.ts';
import { withFileKernels } from './file-kernels.ts';
import { findConfig } from './find-config.ts';
import { importConfig } from './import-config.ts';
import { addMentionedTables } from './mentioned-tables.ts';
import { builtinNodeItems, knownNames, type NodeItems } from './node-items.ts';
import { readNodeItems } from './read-node-items.ts';

/** A config and its file; an empty config where there is no file. */
export interface LoadedConfig {
  readonly config: NamedConfig;
  /** The built-in items and those of the config. */
  readonly items: NodeItems;
  readonly path?: string;
  readonly files?: readonly FileOrigin[];
}

/**
 * Loads the config and the items that it brings: the file at `path`, else the nearest `paranoia.config.*` in the folder or above it.
 * @throws ParanoiaError `config-unreadable` for a file that is missing, throws, or has no default export; `bad-config`; and the
 * errors of kernels that it names by a file
 */
export async function loadConfig({
  path: given,
  cwd = process.cwd(),
  ways = {},
  onWrongKernel,
}: {
  path?: string | undefined;
  cwd?: string;
  ways?: FileReadOptions;
  onWrongKernel?: WrongKernelHandler | undefined;
} = {}): Promise<LoadedConfig> {
  const path = given === undefined ? findConfig(cwd) : resolve(cwd, given);
  if (path === undefined) return { config: {}, items: builtinNodeItems };
  const read = await readNodeItems(await importConfig(path), path);
  const { kernels: known } = knownNames(read.items);
  const whole = await withFileKernels(read.config, { folder: dirname(path), ways, known, items: read.items });
  const items = await addMentionedTables(read.items, listIn(whole.config, 'kernels'));
  return {
    ...{ config: parseConfig(whole.config, knownNames(items), path, onWrongKernel), items, path },
    ...(whole.files.length === 0 ? {} : { files: whole.files }),
  };
}
