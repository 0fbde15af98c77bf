import { arch, cpus } from 'node:os';
import { runtimeName } from '../../base/node/invocation.ts';
import type { Machine } from '../../gpu/device.ts';
import { processorMachine } from '../../gpu/fingerprint.ts';
import type { openNodeDevice } from '../../gpu/node/open.ts';
import { type MachineOptions, type OpenMachine, openMachine } from '../open-machine.ts';

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
  return processorMachine(model, {
    architecture: arch(),
    device: model,
    driver: arch(),
    dawn: runtimeName(),
  });
}
