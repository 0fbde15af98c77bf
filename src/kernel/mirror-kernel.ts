import { findAlgorithm } from '../algorithms/algorithms.ts';
import type { Arithmetic } from '../formats/arithmetic.ts';
import { compile } from '../plan/compile.ts';
import { runMirror } from '../readers/mirror.ts';
import type { Kernel } from './kernel.ts';

/** A plan's mirror as a kernel: computed on the CPU in a device's arithmetic, without the device. */
export function mirrorKernel(algorithm: string, arithmetic: Arithmetic): Kernel {
  return {
    name: `${algorithm}:mirror`,
    algorithm,
    leaf: 'naive',
    arithmetic,
    plan: (shape, { levels, border, edge }) =>
      compile({ algorithm: findAlgorithm(algorithm), shape, depth: { levels }, border, edge }),
    multiply: async (a, b, plan) => {
      const start = performance.now();
      const c = runMirror(plan, a, b, arithmetic);
      const seconds = (performance.now() - start) / 1000;
      return { c, unwritten: 0, guardsTouched: 0, operandsChanged: 0, seconds };
    },
  };
}
