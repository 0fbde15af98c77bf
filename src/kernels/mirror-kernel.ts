import { findAlgorithm } from '../algorithms/algorithms.ts';
import { everything, withComplex } from '../matrix/features.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { membersOf, stackedRows } from '../matrix/members.ts';
import { compile, UNSCALED } from '../plan/compile.ts';
import type { Computation } from '../precision/precision.ts';
import { runMirror } from '../readers/mirror.ts';
import { type Job, type Kernel, sessionOf } from './kernel.ts';
import { untaken } from './taken-by-ours.ts';

/** A plan's mirror as a kernel: computed on the CPU in some arithmetic, without the device. */
export function mirrorKernel(algorithm: string, computation: Computation): Kernel {
  return {
    ...computation,
    name: `${algorithm}:mirror`,
    algorithm,
    leaf: 'naive',
    takes: withComplex(everything, computation.precision.complex === true),
    refuses: (asked) => untaken(asked, computation.precision.complex),
    plan: (shape, { levels, fringe, tail }, scaling = UNSCALED) =>
      compile({ algorithm: findAlgorithm(algorithm), shape, depth: { levels }, fringe, tail, scaling }),
    session: sessionOf(({ plan, operands, gemm = plainGemm(plan.shape) }: Job) => {
      const parts = [...membersOf(operands, gemm)].map(({ a, b, c }) =>
        runMirror(plan, a, b, computation, c),
      );
      return stackedRows(parts, gemm);
    }),
  };
}
