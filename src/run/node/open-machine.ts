import { arch, cpus } from 'node:os';
import { runtimeName } from '../../base/node/invocation.ts';
import type { Machine } from '../../gpu/device.ts';
import { addId } from '../../gpu/fingerprint.ts';
import type { openNodeDevice } from '../../gpu/node/open.ts';
import { assumed } from '../../precision/arithmetic.ts';
import { type MachineOptions, type OpenMachine, openMachine } from '../open-machine.ts';

/** Options of opening a machine in Node. */
export interface NodeMachineOptions extends Pick<MachineOptions, 'catalog' | 'sessionOf'> {
  /** The adapter, as {@link openNodeDevice} takes it. */
  readonly adapter?: string | undefined;
  readonly toggles?: readonly string[] | undefined;
}

/**
 * Runs {@link openMachine} on the adapters that Node finds.
 * @throws ParanoiaError `no-adapter`, `device-refused`
 */
export function openNodeMachine(
  kernels: readonly string[],
  { adapter, toggles = [], ...options }: NodeMachineOptions,
): Promise<OpenMachine> {
  return openMachine(kernels, {
    ...options,
    processor: openProcessor,
    async openDevice() {
      const { openNodeDevice } = await import('../../gpu/node/open.ts');
      return openNodeDevice({ adapter, toggles });
    },
  });
}

/** Returns the machine of kernels without a WebGPU adapter: this computer's processor, and what programs use with it. */
export function openProcessor(): Machine {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  return {
    fingerprint: addId({
      kind: 'hardware',
      name: model,
      vendor: '',
      architecture: arch(),
      device: model,
      driver: arch(),
      backend: 'processor',
      dawn: runtimeName(),
      features: [],
      toggles: [],
    }),
    arithmetic: assumed,
    chosenBecause: 'no kernel of this run needs a WebGPU adapter',
    close: () => {},
  };
}
