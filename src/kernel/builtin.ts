import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import type { Computation } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { type Program, program } from '../gpu/dispatches.ts';
import { execute } from '../gpu/execute.ts';
import type { Work } from '../gpu/execute-many.ts';
import { findLeaf, leafFamilies, leaves } from '../gpu/leaves/leaves.ts';
import { single } from '../gpu/numerics/single.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import { nearest, problem } from '../problems.ts';
import type { Kernel, Manner } from './kernel.ts';

/** The names of the default campaign: every algorithm with every leaf family. */
export const builtinNames: readonly string[] = algorithms.flatMap(({ name }) =>
  leafFamilies.map((leaf) => `${name}:${leaf}`),
);

/** Every name {@link builtinKernel} knows, with the leaf kernels of fixed tile. */
export const allBuiltinNames: readonly string[] = algorithms.flatMap(({ name }) => [
  ...leafFamilies.map((leaf) => `${name}:${leaf}`),
  ...leaves.filter((leaf) => !leafFamilies.includes(leaf.name)).map((leaf) => `${name}:${leaf.name}`),
]);

/** What a planted fault may change: the algorithm that is executed, or the program made of its plan. */
export interface Tampering {
  algorithm?(claimed: Algorithm): Algorithm;
  program?(made: Program): Program;
}

/**
 * One of our own kernels on an open device: `algorithm:leaf`, as `strassen:register` or `classical:tiled-8`.
 * @param tampering plants a fault: the kernel then claims the untouched plan and executes the changed one.
 * @param computation what it computes in, see {@link computationIn}; binary32 by default.
 * @throws Problem `unknown-name`
 */
export function builtinKernel(
  name: string,
  open: OpenDevice,
  tampering: Tampering = {},
  { arithmetic, numeric }: Computation = { arithmetic: open.arithmetic, numeric: single },
): Kernel {
  const { algorithm, leaf } = parseKernelName(name);
  const claimed = findAlgorithm(algorithm);
  const executed = tampering.algorithm?.(claimed) ?? claimed;
  const work = (a: Matrix, b: Matrix, claim: Plan): Work => {
    const plan = executed === claimed ? claim : planFor(executed, leaf, claim.shape, claim);
    const made = program(plan, findLeaf(leaf, leafShape(claim.shape, claim.levels)), numeric);
    return { plan, made: tampering.program?.(made) ?? made, a, b, kernel: name };
  };
  return {
    name,
    algorithm,
    leaf,
    arithmetic,
    plan: (shape, manner) => planFor(claimed, leaf, shape, manner),
    work,
    multiply: (a, b, claim, meanwhile) => {
      const { plan, made } = work(a, b, claim);
      return execute(open, plan, made, a, b, name, meanwhile);
    },
  };
}

/**
 * The plan a kernel of this name claims to execute, for which no device is needed.
 * @throws Problem `unknown-name`, `bad-number`
 */
export function builtinPlan(name: string, shape: Shape, manner: Manner): Plan {
  const { algorithm, leaf } = parseKernelName(name);
  return planFor(findAlgorithm(algorithm), leaf, shape, manner);
}

function planFor(algorithm: Algorithm, leaf: string, shape: Shape, { levels, border, edge }: Manner): Plan {
  const { tile } = findLeaf(leaf, leafShape(shape, levels));
  return compile({ algorithm, shape, depth: { levels }, border, edge, tile });
}

/** Splits `algorithm:leaf` and checks both names. @throws Problem `unknown-name` */
export function parseKernelName(name: string): { algorithm: string; leaf: string } {
  const [algorithm, leaf] = name.split(':');
  if (leaf === undefined || !allBuiltinNames.includes(name)) {
    const close = nearest(name, allBuiltinNames);
    const known = close === undefined ? builtinNames : [...new Set([close, ...builtinNames])];
    throw problem('unknown-name', { what: 'kernel', given: name, known });
  }
  return { algorithm, leaf };
}

/**
 * The kernels a pattern of the command line means: a full name, an algorithm (all its leaf families) or a leaf
 * (`:tiled`, with all algorithms).
 * @throws Problem `unknown-name`
 */
export function expandKernels(pattern: string): readonly string[] {
  if (allBuiltinNames.includes(pattern)) return [pattern];
  const some = pattern.startsWith(':')
    ? allBuiltinNames.filter((name) => name.endsWith(pattern))
    : builtinNames.filter((name) => name.startsWith(`${pattern}:`));
  if (some.length > 0) return some;
  const known = [
    ...algorithms.map(({ name }) => name),
    ...leafFamilies.map((leaf) => `:${leaf}`),
    ...builtinNames,
  ];
  throw problem('unknown-name', { what: 'kernel', given: pattern, known });
}

/** Roughly what a leaf multiplies: the shape that a leaf family chooses its tile for. */
function leafShape({ m, k, n }: Shape, levels: number): Shape {
  const part = (size: number) => Math.ceil(size / 2 ** levels);
  return { m: part(m), k: part(k), n: part(n) };
}
