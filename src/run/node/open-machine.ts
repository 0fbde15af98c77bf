import type { openNodeDevice } from '../../gpu/node/open.ts';
import { type MachineOptions, type OpenMachine, openMachine } from '../open-machine.ts';
import { processor } from './processor.ts';

/** What is opened in Node. */
export interface NodeMachineOptions extends Pick<MachineOptions, 'catalogue' | 'sessionOf'> {
  /** Which adapter, as {@link openNodeDevice} takes it. */
  readonly adapter?: string | undefined;
  readonly toggles?: readonly string[] | undefined;
}

/**
 * {@link openMachine}, of the adapters that Node finds.
 * @throws ParanoiaError `no-adapter`, `device-refused`
 */
export function openNodeMachine(
  kernels: readonly string[],
  { adapter, toggles = [], ...options }: NodeMachineOptions,
): Promise<OpenMachine> {
  return openMachine(kernels, {
    ...options,
    processor,
    async openDevice() {
      const { openNodeDevice } = await import('../../gpu/node/open.ts');
      return openNodeDevice({ adapter, toggles });
    },
  });
}
