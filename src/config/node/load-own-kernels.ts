import type { UserKernel } from '../../kernels/user-kernel.ts';
import { ownKernels } from '../own-kernels.ts';
import { adoptAllItems } from './adopt-items.ts';
import { importConfig } from './import-config.ts';

/**
 * The kernels that a config brings, without those with a wrong option, which who read the config has named; the registries of this process are opened to its other items, which they may name.
 * @throws ParanoiaError `config-unreadable`
 */
export async function loadOwnKernels(path: string): Promise<UserKernel[]> {
  const { config } = adoptAllItems(await importConfig(path), path);
  const kernels = typeof config === 'object' && config !== null && 'kernels' in config ? config.kernels : [];
  return ownKernels({ kernels: Array.isArray(kernels) ? kernels : [] }, () => undefined);
}
