import { findAlgorithm } from '../algorithms/algorithms.ts';
import type { Computation } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { program } from '../gpu/dispatches.ts';
import { execute } from '../gpu/execute.ts';
import type { Work } from '../gpu/execute-many.ts';
import type { Leaf } from '../gpu/leaves/leaf.ts';
import { tiled } from '../gpu/leaves/tiled.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Matrix } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';

/** Tiles so small that nobody would multiply with them: how many threads a workgroup has is what a study varies. */
const studied: readonly Leaf[] = [1, 2].map((side) => tiled(side, `tiled-${side}`));

/** The names of kernels with those leaves: `classical:tiled-1`, `classical:tiled-2`. */
export const studiedNames: readonly string[] = studied.map(({ name }) => `classical:${name}`);

/** A classical kernel of a leaf that only studies use; undefined for another name. */
export function studiedKernel(
  name: string,
  open: OpenDevice,
  { arithmetic, numeric }: Computation,
): Kernel | undefined {
  const leaf = studied.find((one) => `classical:${one.name}` === name);
  if (leaf === undefined) return undefined;
  const algorithm = findAlgorithm('classical');
  const work = (a: Matrix, b: Matrix, plan: Plan): Work => {
    return { plan, made: program(plan, leaf, numeric), a, b, kernel: name };
  };
  return {
    name,
    algorithm: algorithm.name,
    leaf: leaf.name,
    arithmetic,
    plan: (shape, { levels, border, edge }) =>
      compile({ algorithm, shape, depth: { levels }, border, edge, tile: leaf.tile }),
    work,
    multiply(a, b, plan, meanwhile) {
      const { made } = work(a, b, plan);
      return execute(open, plan, made, a, b, name, meanwhile);
    },
  };
}
