import { create, globals } from 'webgpu';
import { expectComputing } from '../../base/node/ending.ts';
import type { Gpu } from '../web-gpu.ts';
import { pollPatiently } from './patient-polling.ts';

// When what create() returned is collected, the process aborts.
const alive: GPU[] = [];

/** Dawn's GPU object for the given flags, kept for the life of the process. */
export function createGpu(flags: readonly string[]): Gpu {
  for (const [name, value] of Object.entries(globals)) {
    if (!Object.hasOwn(globalThis, name)) Object.assign(globalThis, { [name]: value });
  }
  pollPatiently();
  expectComputing();
  const gpu = create([...flags]);
  alive.push(gpu);
  return gpu;
}

/** An adapter as Dawn lists it. */
export interface ListedAdapter {
  readonly backend: string;
  readonly name: string;
}

/** The adapters that Dawn would open, best first, without the null backend's. Reads the environment before it returns. */
export function listAdapters(
  options: { readonly forceFallbackAdapter?: boolean } = {},
): Promise<ListedAdapter[]> {
  // Dawn names the adapters it has in the error for one that it does not have.
  const refusal = createGpu(['adapter=(list)']).requestAdapter(options);
  return refusal.then(
    () => [],
    (error: Error) =>
      [...error.message.matchAll(/\* backend: '(.*?)', name: '(.*)'/g)]
        .map(([, backend, name]) => ({ backend, name }))
        .filter(({ backend }) => backend !== 'null'),
  );
}

/** The flags that make Dawn open the adapter listed, with the Dawn toggles given. */
export function flagsFor({ backend, name }: ListedAdapter, toggles: readonly string[]): string[] {
  const flags = [`backend=${backend}`, `adapter=${name}`];
  return toggles.length > 0 ? [...flags, `enable-dawn-features=${toggles.join(',')}`] : flags;
}
