import { dirname, join } from 'node:path';
import type { Registry } from '../../base/registry.ts';
import type { OpenDevice } from '../../gpu/device.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import { openFunctionKernel } from '../../kernels/function-kernel.ts';
import { callFromAfar } from '../../kernels/host/node/call-from-afar.ts';
import { createIdleWait } from '../../kernels/host/node/stillness.ts';
import type { KernelSession } from '../../kernels/kernel.ts';
import { aboutOf, type JudgingTerms, type SelfDescription } from '../../kernels/self-description.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { badKernel } from '../../precision/messages.ts';
import type { Precision } from '../../precision/precision.ts';
import { precisions as builtin } from '../../precision/precisions.ts';

/** The origin of a kernel, in terms that another process understands. */
export interface KernelOrigin {
  readonly name: string;
  /** The config that defines it; kernels of other libraries need none. */
  readonly config: string | undefined;
  /** The file that defines it, if that is not a config. */
  readonly file?: FileOrigin | undefined;
  /** The adapter for kernels that compute on our device, and its toggles. */
  readonly adapter: string | undefined;
  readonly toggles: readonly string[] | undefined;
  /** Terms that hold for an untrusted kernel, whatever it claims. */
  readonly terms?: JudgingTerms | undefined;
}

/** A session, and an untrusted kernel's statements about itself. */
interface Located extends KernelSession {
  readonly about?: SelfDescription;
}

/**
 * Opens a kernel of a file, of a config or of another library in this process. It loads no more than the kernel needs: such a
 * process starts for every kernel, and after every crash.
 * @throws ParanoiaError `bad-kernel`, `config-unreadable`, `no-adapter`, …
 */
export async function locate(origin: KernelOrigin): Promise<Located> {
  const { name, config, file, adapter, toggles = [], terms } = origin;
  const { kernel, precisions } = file === undefined ? await named(name, config) : await inFile(file);
  const precision = precisions.find(kernel.precision ?? 'f32');
  if (terms !== undefined && 'multiply' in kernel) {
    const call = callFromAfar(join(dirname(file?.path ?? process.cwd()), 'index.mjs'));
    const session = openFunctionKernel({ ...kernel, ...terms }, { settle: createIdleWait(), call });
    return { ...session, about: aboutOf(kernel) };
  }
  // Libraries that look for an adapter later get the same one.
  if ('usesAdapter' in kernel && kernel.usesAdapter === true) {
    const { offerGpu } = await import('../../gpu/node/offer.ts');
    await offerGpu({ adapter, toggles });
  }
  if ('multiply' in kernel) return openFunctionKernel(kernel, undefined, precision);
  const open = 'program' in kernel ? undefined : await onDevice({ adapter, toggles });
  const { openExternal } = await import('../../kernels/host/node/open-in-process.ts');
  return openExternal(kernel, { device: () => open as OpenDevice, cwd: process.cwd() }, precision);
}

/** A kernel, and the precisions that it may name. */
interface Found {
  readonly kernel: UserKernel;
  readonly precisions: Registry<Precision>;
}

async function inFile(file: FileOrigin): Promise<Found> {
  const { locateInFile } = await import('./file-kernels.ts');
  return { kernel: await locateInFile(file), precisions: builtin };
}

/** Finds the kernel of a name in the config, else in other libraries. */
async function named(name: string, config: string | undefined): Promise<Found> {
  const own = config === undefined ? undefined : await ownKernelsOf(config);
  const kernel = own?.kernels.find((one) => one.name === name) ?? (await ofLibraries(name));
  if (kernel !== undefined) return { kernel, precisions: own?.items.precisions ?? builtin };
  throw badKernel({
    kernel: `"${name}"`,
    why: `${config ?? 'this version'} no longer defines it`,
  });
}

async function ownKernelsOf(config: string) {
  const { loadOwnKernels } = await import('./import-config.ts');
  return loadOwnKernels(config);
}

async function ofLibraries(name: string): Promise<UserKernel | undefined> {
  const { makeKernelCatalog } = await import('../../kernels/kernel-catalog.ts');
  const { clientKernels } = await import('../../kernels/clients/node/clients.ts');
  return makeKernelCatalog(clientKernels).external(name);
}

async function onDevice(options: Pick<KernelOrigin, 'adapter' | 'toggles'>): Promise<OpenDevice> {
  const { openNodeDevice } = await import('../../gpu/node/open.ts');
  return openNodeDevice({ adapter: options.adapter, toggles: options.toggles ?? [] });
}
