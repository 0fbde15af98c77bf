import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithms, findAlgorithm } from '../algorithms/algorithms.ts';
import type { Computation } from '../gpu/computation.ts';
import type { OpenDevice } from '../gpu/device.ts';
import { type Program, program } from '../gpu/dispatches.ts';
import { execute } from '../gpu/execute.ts';
import type { Work } from '../gpu/execute-many.ts';
import { takesBlock } from '../gpu/fused/dispatches.ts';
import { exceeds } from '../gpu/leaves/leaf.ts';
import { findLeaf, leafFamilies, leafOfSums, leaves } from '../gpu/leaves/leaves.ts';
import { single } from '../gpu/numerics/single.ts';
import { multiplyInPanels } from '../gpu/panels.ts';
import { operationsAtOnce, type Tuning } from '../gpu/tuning/tuning.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { compile } from '../plan/compile.ts';
import { type Plan, styles } from '../plan/plan.ts';
import { nearest, problem } from '../problems.ts';
import type { Kernel, Manner } from './kernel.ts';
import { findStyled, isFusedLeaf, styledLeavesOf } from './styled-leaves.ts';

/** The names of the default campaign: every algorithm with every leaf family. */
export const builtinNames: readonly string[] = algorithms.flatMap(({ name }) =>
  leafFamilies.map((leaf) => `${name}:${leaf}`),
);

/** Every name {@link builtinKernel} knows, with the leaf kernels of fixed tile. */
export const allBuiltinNames: readonly string[] = algorithms.flatMap((algorithm) =>
  [
    ...leafFamilies,
    ...leaves.map(({ name }) => name).filter((leaf) => !leafFamilies.includes(leaf)),
    ...styledLeavesOf(algorithm).map(({ name }) => name),
  ].map((leaf) => `${algorithm.name}:${leaf}`),
);

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
  const styled = findStyled(leaf);
  const unordered = styled !== undefined && !styles[styled.style].ordered;
  if (unordered && numeric.words > 1) {
    const why = `adds to single words at once, and entries of ${arithmetic.precision} take two`;
    throw problem('leaf-refused', { kernel: name, why });
  }
  const { tuning } = open;
  const leafFor = ({ shape, levels }: Plan) => {
    const product = leafShape(shape, levels);
    const found =
      styled === undefined
        ? findLeaf(leaf, product, tuning)
        : // Fused products take its block shape alone.
          ((isFusedLeaf(styled) ? leafOfSums(product, tuning) : undefined) ??
          findLeaf('register', product, tuning));
    const why = exceeds(found, open);
    if (why === undefined) return found;
    if (styled !== undefined) return findLeaf('naive', shape);
    throw problem('leaf-refused', { kernel: name, why });
  };
  const work = (a: Matrix, b: Matrix, claim: Plan): Work => {
    const plan = executed === claimed ? claim : planFor(executed, leaf, claim.shape, claim, tuning);
    const chosen = leafFor(claim);
    const made = program(plan, chosen, numeric, styled?.blocking, operationsAtOnce(tuning, chosen));
    return { plan, made: tampering.program?.(made) ?? made, a, b, kernel: name };
  };
  const inParts: NonNullable<Kernel['inParts']> = (a, b, claim, run, meanwhile) => {
    const again = (shape: Shape) => planFor(claimed, leaf, shape, claim, tuning);
    const cut = { plan: claim, planFor: again, numeric, tile: leafFor(claim).tile, kernel: name };
    return multiplyInPanels(
      open,
      cut,
      [a, b],
      (a, b, plan, meanwhile) => run(work(a, b, plan), meanwhile),
      meanwhile,
    );
  };
  return {
    name,
    algorithm,
    leaf,
    // In no order there are no bits to compare, and no claim to repeat them.
    arithmetic: unordered ? { ...arithmetic, mirrored: false } : arithmetic,
    ...(unordered ? { claims: { algorithm, deterministic: false } } : {}),
    plan: (shape, manner) => planFor(claimed, leaf, shape, manner, tuning),
    leafOf(plan) {
      const found = leafFor(plan);
      const choice = { numeric, blocking: styled?.blocking, leaf: found };
      return plan.fused === undefined || takesBlock(plan, choice) ? found.name : leaf;
    },
    work,
    inParts,
    async multiply(a, b, claim, meanwhile) {
      const run = ({ plan, made, a, b }: Work, meanwhile?: () => void) =>
        execute(open, plan, made, a, b, name, meanwhile);
      return (await inParts(a, b, claim, run, meanwhile)).execution;
    },
  };
}

/**
 * The plan a kernel of this name claims to execute, for which no device is needed.
 * @param tuning of the device that will execute it: where leaf blocks are padded, it decides to what tile.
 * @throws Problem `unknown-name`, `bad-number`
 */
export function builtinPlan(name: string, shape: Shape, manner: Manner, tuning?: Tuning): Plan {
  const { algorithm, leaf } = parseKernelName(name);
  return planFor(findAlgorithm(algorithm), leaf, shape, manner, tuning);
}

function planFor(
  algorithm: Algorithm,
  leaf: string,
  shape: Shape,
  { levels, border, edge }: Manner,
  tuning: Tuning | undefined,
): Plan {
  const styled = findStyled(leaf);
  if (styled !== undefined) {
    return compile({ algorithm, shape, depth: { levels }, border, style: styled.style });
  }
  const { tile } = findLeaf(leaf, leafShape(shape, levels), tuning);
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
