import { importFile } from '../../base/node/import-file.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { configUnreadable } from '../messages.ts';
import { ownKernels } from '../own-items.ts';
import type { NodeItems } from './node-items.ts';
import { readNodeItems } from './read-node-items.ts';

/** Imports the default export of a config. @throws ParanoiaError `config-unreadable` */
export async function importConfig(path: string): Promise<unknown> {
  const module = await importFile(path, (why, cause) => configUnreadable({ path, why }, cause));
  if (typeof module === 'object' && module !== null && 'default' in module) return module.default;
  const why = 'it has no default export. End it with "export default defineConfig({ … })"';
  throw configUnreadable({ path, why });
}

/**
 * Loads a config's kernels and the items that they may name. Kernels with a wrong option are left out: the reader of the config
 * has already reported them.
 * @throws ParanoiaError `config-unreadable`
 */
export async function loadOwnKernels(path: string): Promise<{ kernels: UserKernel[]; items: NodeItems }> {
  const { config, items } = await readNodeItems(await importConfig(path), path);
  const kernels = typeof config === 'object' && config !== null && 'kernels' in config ? config.kernels : [];
  const given = { kernels: Array.isArray(kernels) ? kernels : [] };
  return { kernels: ownKernels(given, items, () => undefined), items };
}
