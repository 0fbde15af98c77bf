import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry } from '../algorithms/algorithms.ts';
import { sharedGrowth } from '../algorithms/growth.ts';
import type { Registry } from '../base/registry.ts';
import { readChain } from '../epilogue/chain-text.ts';
import { isModeled } from '../epilogue/device-steps.ts';
import type { Shape } from '../matrix/dense.ts';
import { everything, withComplex } from '../matrix/features.ts';
import { type Gemm, plainGemm } from '../matrix/gemm.ts';
import { membersOf, stackRows } from '../matrix/members.ts';
import { compile, UNSCALED } from '../plan/compile.ts';
import type { Computation } from '../precision/precision.ts';
import { stepsModel } from '../readers/epilogue-model.ts';
import { runModel } from '../readers/model.ts';
import { upToSums } from '../readers/result-rounding.ts';
import { type Kernel, type KernelJob, sessionOf } from './kernel.ts';
import { whyUnsupported } from './why-unsupported.ts';

const whyNoModel = (asked: Shape | Gemm): string | undefined =>
  'batch' in asked && asked.chain !== undefined && !isModeled(readChain(asked.chain.text))
    ? 'its epilogue calls functions, whose bits differ between devices'
    : undefined;

/**
 * Returns a kernel that computes a plan's model on the CPU in some arithmetic, without the device.
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
    name: `${algorithm}:model`,
    algorithm,
    growth: sharedGrowth(table),
    leaf: 'naive',
    takes: withComplex(everything, computation.precision.complex === true),
    refuses: (asked) => whyUnsupported(asked, computation.precision) ?? whyNoModel(asked),
    plan: (shape, { levels, fringe, tail }, scaling = UNSCALED) =>
      compile({ algorithm: table, shape, depth: { levels }, fringe, tail, scaling }),
    session: sessionOf(({ plan, operands, gemm = plainGemm(plan.shape) }: KernelJob) => {
      const { epilogue } = operands;
      // Codes are results already.
      const own = gemm.chain?.codes === undefined ? computation : upToSums(computation);
      const behind = epilogue && stepsModel(epilogue, gemm.m, computation);
      const parts = [...membersOf(operands, gemm)].map(({ a, b, c }, p) => {
        const ofMember = behind && ((x: number, i: number, j: number) => behind(x, p * gemm.m + i, j));
        return runModel(plan, a, b, own, c, ofMember);
      });
      return stackRows(parts, gemm);
    }),
  };
}
