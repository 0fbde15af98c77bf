import { Evaluator } from '../src/evidence/evaluate.ts';
import { exactProduct } from '../src/exact/exact.ts';
import type { Machine } from '../src/gpu/device.ts';
import type { Kernel } from '../src/kernels/kernel.ts';
import { modelKernel } from '../src/kernels/model-kernel.ts';
import { emulated } from '../src/precision/arithmetic.ts';
import { singleComputation } from '../src/precision/single.ts';
import { Scheduler } from '../src/run/scheduler.ts';

const arithmetic = { ...emulated, fma: 'once' } as const;
const machine = { arithmetic, fingerprint: { id: 'cpu' } } as Machine;

/** Makes a kernel that the model of its plan computes on the CPU: `strassen:model`. */
export const judgeByModel = (name: string): Kernel =>
  modelKernel(name.split(':')[0], singleComputation(arithmetic));

/** Judges cases of kernels that need no device. */
export function cpuJudge(kernelOf: (name: string, precision?: string) => Kernel = judgeByModel): Scheduler {
  return new Scheduler({
    machine,
    reopen: async () => machine,
    evaluator: new Evaluator(exactProduct),
    kernelOf: async ({ kernel, precision }) => kernelOf(kernel, precision),
  });
}
