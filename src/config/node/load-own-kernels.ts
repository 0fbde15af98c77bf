import type { UserKernel } from '../../kernels/user-kernel.ts';
import { ownKernels } from '../own-kernels.ts';
import { importConfig } from './import-config.ts';
import { type NodeItems, readNodeItems } from './read-node-items.ts';

/**
 * Loads a config's kernels and the items that they may name. Kernels with a wrong option are left out: the reader of the config
 * has already reported them.
 * @throws ParanoiaError `config-unreadable`
 */
export async function loadOwnKernels(path: string): Promise<{ kernels: UserKernel[]; items: NodeItems }> {
  const { config, items } = readNodeItems(await importConfig(path), path);
  const kernels = typeof config === 'object' && config !== null && 'kernels' in config ? config.kernels : [];
  const given = { kernels: Array.isArray(kernels) ? kernels : [] };
  return { kernels: ownKernels(given, items, () => undefined), items };
}
