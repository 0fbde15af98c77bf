import { create, globals } from 'webgpu';
import { expectComputing } from '../../base/node/ending.ts';
import type { Gpu } from '../web-gpu.ts';
import { pollPatiently } from './patient-polling.ts';

// The process aborts if an object that create() returned is collected.
const alive: GPU[] = [];

/** Creates Dawn's GPU object for the given flags and keeps it for the life of the process. */
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

/** An adapter as listed by Dawn. */
export interface ListedAdapter {
  readonly backend: string;
  readonly name: string;
}

/** Lists the adapters that Dawn would open, best first, without the null backend's. Reads the environment before it returns. */
export function listAdapters(
  options: { readonly forceFallbackAdapter?: boolean } = {},
): Promise<ListedAdapter[]> {
  // Dawn's error for an unknown adapter lists the adapters that it has.
  const refusal = createGpu(['adapter=(list)']).requestAdapter(options);
  return refusal.then(
    () => [],
    (error: Error) =>
      [...error.message.matchAll(/\* backend: '(.*?)', name: '(.*)'/g)]
        .map(([, backend, name]) => ({ backend, name }))
        .filter(({ backend }) => backend !== 'null'),
  );
}

/** Returns the flags that make Dawn open the listed adapter with the given toggles. */
export function flagsFor({ backend, name }: ListedAdapter, toggles: readonly string[]): string[] {
  const flags = [`backend=${backend}`, `adapter=${name}`];
  return toggles.length > 0 ? [...flags, `enable-dawn-features=${toggles.join(',')}`] : flags;
}
