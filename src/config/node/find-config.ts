import { dirname, join, resolve } from 'node:path';
import { pathExists } from '../../base/node/read-file.ts';

/** The names that a config may have; the first one found in a folder is used. */
export const CONFIG_NAMES = ['ts', 'mts', 'js', 'mjs'].map((end) => `paranoia.config.${end}`);

/** Finds the nearest config in a folder or above it. @throws Error of the file system */
export function findConfig(folder: string): string | undefined {
  const here = resolve(folder);
  const found = CONFIG_NAMES.map((name) => join(here, name)).find(pathExists);
  if (found !== undefined) return found;
  const above = dirname(here);
  return above === here ? undefined : findConfig(above);
}
