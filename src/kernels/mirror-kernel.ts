import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/shared-growth.ts';
import type { Registry } from '../base/registry.ts';
import { everything, withComplex } from '../matrix/features.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { membersOf, stackedRows } from '../matrix/members.ts';
import { compile, UNSCALED } from '../plan/compile.ts';
import type { Computation } from '../precision/precision.ts';
import { runMirror } from '../readers/mirror.ts';
import { type Job, type Kernel, sessionOf } from './kernel.ts';
import { untaken } from './taken-by-ours.ts';

/**
 * Returns a kernel that computes a plan's mirror on the CPU in some arithmetic, without the device.
 * @param algorithms registry of the algorithms it may name.
 * @defaultValue the built-in ones
 */
export function mirrorKernel(
  algorithm: string,
  computation: Computation,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): Kernel {
  const table = algorithms.find(algorithm);
  return {
    ...computation,
    name: `${algorithm}:mirror`,
    algorithm,
    growth: sharedGrowth(table),
    leaf: 'naive',
    takes: withComplex(everything, computation.precision.complex === true),
    refuses: (asked) => untaken(asked, computation.precision.complex),
    plan: (shape, { levels, fringe, tail }, scaling = UNSCALED) =>
      compile({ algorithm: table, shape, depth: { levels }, fringe, tail, scaling }),
    session: sessionOf(({ plan, operands, gemm = plainGemm(plan.shape) }: Job) => {
      const parts = [...membersOf(operands, gemm)].map(({ a, b, c }) =>
        runMirror(plan, a, b, computation, c),
      );
      return stackedRows(parts, gemm);
    }),
  };
}
