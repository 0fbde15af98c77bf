import type { OpenDevice } from '../../gpu/device.ts';
import { offerGpu } from '../../gpu/node/offer.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { catalogueOf } from '../../kernels/catalogue.ts';
import { clientKernels } from '../../kernels/clients/node/clients.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import { openExternal } from '../../kernels/host/node/open-external.ts';
import type { Session } from '../../kernels/kernel.ts';
import { badKernel } from '../../precision/messages.ts';
import { locateInFile } from './file-kernels.ts';
import { loadOwnKernels } from './load.ts';

/** Where a kernel is defined, in terms that another process understands. */
export interface KernelOrigin {
  readonly name: string;
  /** The config that brings it; the kernels of other libraries are known without. */
  readonly config: string | undefined;
  /** The file that it is in, where that is no config. */
  readonly file?: FileOrigin | undefined;
  /** The adapter for kernels that compute on ours, and its toggles. */
  readonly adapter: string | undefined;
  readonly toggles: readonly string[] | undefined;
}

/**
 * Opens a kernel of a file, of a config or of another library in this process.
 * @throws ParanoiaError `bad-kernel`, `config-unreadable`, `no-adapter`, …
 */
export async function locate({ name, config, file, adapter, toggles = [] }: KernelOrigin): Promise<Session> {
  const own = config === undefined ? [] : await loadOwnKernels(config);
  const kernel =
    file === undefined ? catalogueOf([...own, ...clientKernels]).external(name) : await locateInFile(file);
  if (kernel === undefined) {
    const why = `${config ?? 'this version'} does not define it any more`;
    throw badKernel({ kernel: `"${name}"`, why });
  }
  // Libraries that look for an adapter later get the same one.
  if ('usesAdapter' in kernel && kernel.usesAdapter === true) await offerGpu({ adapter, toggles });
  const onDevice = 'wgsl' in kernel || 'encode' in kernel;
  const open = onDevice ? await openNodeDevice({ adapter, toggles }) : undefined;
  return openExternal(kernel, { device: () => open as OpenDevice, cwd: process.cwd() });
}
