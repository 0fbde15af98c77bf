import { findAlgorithm } from '../algorithms/algorithms.ts';
import { compile } from '../plan/compile.ts';
import type { Computation } from '../precision/precision.ts';
import { runMirror } from '../readers/mirror.ts';
import { type Job, type Kernel, sessionOf } from './kernel.ts';

/** A plan's mirror as a kernel: computed on the CPU in some arithmetic, without the device. */
export function mirrorKernel(algorithm: string, computation: Computation): Kernel {
  return {
    ...computation,
    name: `${algorithm}:mirror`,
    algorithm,
    leaf: 'naive',
    plan: (shape, { levels, fringe, tail }) =>
      compile({ algorithm: findAlgorithm(algorithm), shape, depth: { levels }, fringe, tail }),
    session: sessionOf(({ plan, operands: { a, b } }: Job) => runMirror(plan, a, b, computation)),
  };
}
