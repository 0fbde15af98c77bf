import { navigatorHere } from '../base/navigator.ts';
import type { Machine } from '../gpu/device.ts';
import { addId } from '../gpu/fingerprint.ts';
import { implementationHere } from '../gpu/implementation.ts';
import { assumed } from '../precision/arithmetic.ts';

/** Returns the machine for kernels that need no device, as far as a page can identify it. */
export function thisRuntime(): Machine {
  const { userAgent = 'unknown' } = navigatorHere();
  const name = implementationHere() ?? userAgent;
  return {
    fingerprint: addId({
      kind: 'hardware',
      name,
      vendor: '',
      architecture: '',
      device: userAgent,
      driver: '',
      backend: 'processor',
      dawn: name,
      features: [],
      toggles: [],
    }),
    arithmetic: assumed,
    chosenBecause: 'no kernel of this run needs a WebGPU adapter',
    close: () => {},
  };
}
