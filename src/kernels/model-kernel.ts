import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/shared-growth.ts';
import type { Registry } from '../base/registry.ts';
import { everything, withComplex } from '../matrix/features.ts';
import { plainGemm } from '../matrix/gemm.ts';
import { membersOf, stackRows } from '../matrix/members.ts';
import { compile, UNSCALED } from '../plan/compile.ts';
import type { Computation } from '../precision/precision.ts';
import { runModel } from '../readers/model.ts';
import { type Kernel, type KernelJob, sessionOf } from './kernel.ts';
import { whyUnsupported } from './why-unsupported.ts';

/**
 * Returns a kernel that computes a plan's mirror on the CPU in some arithmetic, without the device.
 * @param algorithms registry of the algorithms it may name.
 * @defaultValue the built-in ones
 */
export function modelKernel(
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
    refuses: (asked) => whyUnsupported(asked, computation.precision.complex),
    plan: (shape, { levels, fringe, tail }, scaling = UNSCALED) =>
      compile({ algorithm: table, shape, depth: { levels }, fringe, tail, scaling }),
    session: sessionOf(({ plan, operands, gemm = plainGemm(plan.shape) }: KernelJob) => {
      const parts = [...membersOf(operands, gemm)].map(({ a, b, c }) => runModel(plan, a, b, computation, c));
      return stackRows(parts, gemm);
    }),
  };
}
