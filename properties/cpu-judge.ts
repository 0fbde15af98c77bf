import { emulated } from '../src/formats/arithmetic.ts';
import { Judge } from '../src/fuzz/judge.ts';
import { Laboratory } from '../src/gate/evidence.ts';
import type { Machine } from '../src/gpu/device.ts';
import type { Kernel } from '../src/kernel/kernel.ts';
import { mirrorKernel } from '../src/kernel/mirror-kernel.ts';
import { exactProduct } from '../src/reference/exact.ts';

const arithmetic = { ...emulated('f32'), fused: true };
const machine = { arithmetic, fingerprint: { id: 'cpu' } } as Machine;

/** Kernels computed on the CPU by the mirror of their plan: `strassen:mirror`. */
export const mirrored = (name: string): Kernel => mirrorKernel(name.split(':')[0], arithmetic);

/** Judges cases of kernels that need no device. */
export function cpuJudge(kernelOf: (name: string) => Kernel = mirrored): Judge {
  return new Judge({
    machine,
    reopen: async () => machine,
    laboratory: new Laboratory(exactProduct),
    kernelOf: async ({ kernel }) => kernelOf(kernel),
  });
}
