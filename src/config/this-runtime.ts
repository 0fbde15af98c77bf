import { navigatorHere } from '../base/navigator.ts';
import type { Machine } from '../gpu/device.ts';
import { implementationHere, processorMachine } from '../gpu/fingerprint.ts';

/** Returns the machine for kernels that need no device, as far as a page can identify it. */
export function thisRuntime(): Machine {
  const { userAgent = 'unknown' } = navigatorHere();
  const name = implementationHere() ?? userAgent;
  return processorMachine(name, { architecture: '', device: userAgent, driver: '', dawn: name });
}
