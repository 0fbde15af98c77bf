import { arch, cpus } from 'node:os';
import { runtimeName } from '../../base/node/runtime.ts';
import type { Machine } from '../../gpu/device.ts';
import { identified } from '../../gpu/fingerprint.ts';
import { assumed } from '../../precision/arithmetic.ts';

/** The machine of kernels that need no WebGPU adapter: this computer's processor, and what programs use beside it. */
export function processor(): Machine {
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  return {
    fingerprint: identified({
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
