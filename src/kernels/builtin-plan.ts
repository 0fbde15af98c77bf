import type { Algorithm } from '../algorithms/algorithm.ts';
import { algorithmRegistry, algorithms as builtin } from '../algorithms/algorithms.ts';
import { unknownName } from '../base/messages.ts';
import { nearest } from '../base/nearest.ts';
import type { Registry } from '../base/registry.ts';
import type { Tuning } from '../gpu/tuning/tuning.ts';
import { findLeaf, leafFamilies, leaves } from '../gpu/wgsl/leaves/leaves.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/scaling.ts';
import { compile } from '../plan/compile.ts';
import type { Plan } from '../plan/plan.ts';
import type { Method } from '../problem/method.ts';
import { findStyled, styledLeavesOf } from './styled-leaves.ts';

/** Returns the kernel names of algorithms with every leaf family. */
export const listKernelNames = (some: readonly Algorithm[]): string[] =>
  some.flatMap(({ name }) => leafFamilies.map((leaf) => `${name}:${leaf}`));

/** Returns the kernel names of algorithms with every leaf family, every leaf kernel of fixed tile, and every styled leaf. */
export const listAllKernelNames = (some: readonly Algorithm[]): string[] =>
  some.flatMap((algorithm) =>
    [
      ...leafFamilies,
      ...leaves.map(({ name }) => name).filter((leaf) => !leafFamilies.includes(leaf)),
      ...styledLeavesOf(algorithm).map(({ name }) => name),
    ].map((leaf) => `${algorithm.name}:${leaf}`),
  );

/** The kernels of the default campaign: built-in algorithms with every leaf family. */
export const builtinNames: readonly string[] = listKernelNames(builtin);

/** All names that {@link builtinKernel} knows, except those of a config's algorithms. */
export const allBuiltinNames: readonly string[] = listAllKernelNames(builtin);

/**
 * Returns the plan that a built-in kernel claims to execute; no device is needed.
 * @param tuning of the device that will execute it: where leaf blocks are padded, it decides to what tile.
 * @throws ParanoiaError `unknown-name`, `bad-number`
 */
export function builtinPlan(
  name: string,
  shape: Shape,
  method: Method,
  tuning?: Tuning,
  scaling?: Scaling,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): Plan {
  const { table, leaf } = parseKernelName(name, algorithms);
  return planFor(table, leaf, shape, method, tuning, scaling);
}

/** Returns the plan of an algorithm with a leaf, by a method. */
export function planFor(
  algorithm: Algorithm,
  leaf: string,
  shape: Shape,
  { levels, fringe, tail }: Method,
  tuning: Tuning | undefined,
  scaling?: Scaling,
): Plan {
  const styled = findStyled(leaf);
  if (styled !== undefined) {
    const { style, run } = styled;
    return compile({ algorithm, shape, depth: { levels }, fringe, style, run, scaling });
  }
  const { tile } = findLeaf(leaf, leafShape(algorithm, shape, levels), tuning);
  return compile({ algorithm, shape, depth: { levels }, fringe, tail, tile, scaling });
}

/** The parts of a built-in kernel's name: `algorithm:leaf`. */
export interface KernelName {
  readonly algorithm: string;
  readonly table: Algorithm;
  readonly leaf: string;
}

/** Splits `algorithm:leaf` and checks both names. @throws ParanoiaError `unknown-name` */
export function parseKernelName(
  name: string,
  algorithms: Registry<Algorithm> = algorithmRegistry,
): KernelName {
  const [algorithm, leaf] = name.split(':');
  const table = algorithms.get(algorithm);
  if (table !== undefined && listAllKernelNames([table]).includes(name)) return { algorithm, table, leaf };
  const close = nearest(name, listAllKernelNames(algorithms.items));
  const families = listKernelNames(algorithms.items);
  const known = close === undefined ? families : [...new Set([close, ...families])];
  throw unknownName({ what: 'kernel', given: name, known });
}

/** Returns roughly the shape that a leaf multiplies, for which a leaf family chooses its tile. */
export function leafShape({ base }: Algorithm, { m, k, n }: Shape, levels: number): Shape {
  const part = (size: number, parts: number) => Math.ceil(size / parts ** levels);
  return { m: part(m, base.m), k: part(k, base.k), n: part(n, base.n) };
}
