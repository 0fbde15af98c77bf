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

/** Algorithms with every leaf family. */
export const namesOf = (some: readonly Algorithm[]): string[] =>
  some.flatMap(({ name }) => leafFamilies.map((leaf) => `${name}:${leaf}`));

/** Those, with the leaf kernels of fixed tile and those of a style of their own. */
export const allNamesOf = (some: readonly Algorithm[]): string[] =>
  some.flatMap((algorithm) =>
    [
      ...leafFamilies,
      ...leaves.map(({ name }) => name).filter((leaf) => !leafFamilies.includes(leaf)),
      ...styledLeavesOf(algorithm).map(({ name }) => name),
    ].map((leaf) => `${algorithm.name}:${leaf}`),
  );

/** The names of the default campaign: our algorithms with every leaf family. */
export const builtinNames: readonly string[] = namesOf(builtin);

/** Every name {@link builtinKernel} knows without those of a config's algorithms. */
export const allBuiltinNames: readonly string[] = allNamesOf(builtin);

/**
 * The plan a kernel of this name claims to execute, for which no device is needed.
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

/** The plan of an algorithm with a leaf, by a method. */
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

/** The parts of the name of a kernel of ours: `algorithm:leaf`. */
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
  if (table !== undefined && allNamesOf([table]).includes(name)) return { algorithm, table, leaf };
  const close = nearest(name, allNamesOf(algorithms.items));
  const families = namesOf(algorithms.items);
  const known = close === undefined ? families : [...new Set([close, ...families])];
  throw unknownName({ what: 'kernel', given: name, known });
}

/** Roughly what a leaf multiplies: the shape that a leaf family chooses its tile for. */
export function leafShape({ base }: Algorithm, { m, k, n }: Shape, levels: number): Shape {
  const part = (size: number, parts: number) => Math.ceil(size / parts ** levels);
  return { m: part(m, base.m), k: part(k, base.k), n: part(n, base.n) };
}
