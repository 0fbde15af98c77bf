import { dirname, join, resolve } from 'node:path';
import { isThere } from '../../base/node/is-there.ts';

/** The names a config may have, the first found in a folder is taken. */
export const CONFIG_NAMES = ['ts', 'mts', 'js', 'mjs'].map((end) => `paranoia.config.${end}`);

/** The nearest config in a folder or above it. @throws the file system's error where that cannot be told. */
export function findConfig(folder: string): string | undefined {
  const here = resolve(folder);
  const found = CONFIG_NAMES.map((name) => join(here, name)).find(isThere);
  if (found !== undefined) return found;
  const above = dirname(here);
  return above === here ? undefined : findConfig(above);
}
