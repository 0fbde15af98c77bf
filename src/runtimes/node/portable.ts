import { clientKernels } from '../../kernels/clients/node/clients.ts';
import type { FileOrigin } from '../../kernels/files/file-origin.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import { notInRuntime } from '../messages.ts';
import { isPortable } from './bundle.ts';
import type { Runtime } from './runtime.ts';

/**
 * Refuses kernels that only Node can open: programs, foreign libraries, and files that are neither modules nor shaders.
 * @throws ParanoiaError `not-in-runtime`
 */
export function requirePortable(
  kernels: readonly string[],
  catalogue: KernelCatalog,
  files: readonly FileOrigin[],
  { name: runtime }: Runtime,
): void {
  for (const kernel of kernels) {
    const spec = catalogue.external(kernel);
    if (spec === undefined) continue;
    const file = files.findLast(({ name }) => name === kernel);
    const refuse = (why: string) => notInRuntime({ kernel, runtime, why });
    if (file !== undefined && !isPortable(file))
      throw refuse('only JavaScript, TypeScript and WGSL files run there');
    if ('program' in spec) throw refuse('it is a program, which only Node can start');
    if (clientKernels.includes(spec)) throw refuse('its library runs only in Node');
  }
}
