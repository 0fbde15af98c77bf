import type { OpenDevice } from '../../gpu/device.ts';
import { offerGpu } from '../../gpu/node/offer.ts';
import { openNodeDevice } from '../../gpu/node/open.ts';
import { catalogueOf } from '../../kernel/catalogue.ts';
import { clientKernels } from '../../kernel/node/clients/clients.ts';
import { openSession } from '../../kernel/node/open-session.ts';
import type { Session } from '../../kernel/session.ts';
import { problem } from '../../problems.ts';
import { loadOwnKernels } from './load.ts';

/** Where a kernel is defined, in terms that another process understands. */
export interface KernelOrigin {
  readonly name: string;
  /** The config that brings it; the kernels of other libraries are known without. */
  readonly config: string | undefined;
  /** The adapter for kernels that compute on ours, and its toggles. */
  readonly adapter: string | undefined;
  readonly toggles: readonly string[] | undefined;
}

/**
 * Opens a kernel of a config or of another library in this process.
 * @throws Problem `bad-kernel`, `config-unreadable`, `no-adapter`, …
 */
export async function locate({ name, config, adapter, toggles = [] }: KernelOrigin): Promise<Session> {
  const own = config === undefined ? [] : await loadOwnKernels(config);
  const kernel = catalogueOf([...own, ...clientKernels]).foreign(name);
  if (kernel === undefined) {
    const why = `${config ?? 'this version'} does not define it any more`;
    throw problem('bad-kernel', { kernel: `"${name}"`, why });
  }
  // Libraries that look for an adapter later get the same one.
  if ('usesAdapter' in kernel && kernel.usesAdapter === true) await offerGpu({ adapter, toggles });
  const onDevice = 'wgsl' in kernel || 'encode' in kernel;
  const open = onDevice ? await openNodeDevice({ adapter, toggles }) : undefined;
  return openSession(kernel, { device: () => open as OpenDevice, cwd: process.cwd() });
}
