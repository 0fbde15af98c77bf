import { type Algorithm, rank } from '../algorithms/algorithm.ts';
import { algorithmRegistry, algorithms as builtin } from '../algorithms/algorithms.ts';
import { unknownName } from '../base/messages.ts';
import { nearest } from '../base/nearest.ts';
import type { Registry } from '../base/registry.ts';
import type { Tuning } from '../gpu/tuning/tuning.ts';
import { findLeaf, leafFamilies, leaves } from '../gpu/wgsl/leaves/leaves.ts';
import { fusedTilings } from '../gpu/wgsl/tilings.ts';
import type { Shape } from '../matrix/dense.ts';
import type { Scaling } from '../matrix/factor.ts';
import { compile } from '../plan/compile.ts';
import { type Plan, type Style, styles } from '../plan/plan.ts';
import type { Method } from '../problem/method.ts';

/** A kernel of a certain style, named like a leaf: `strassen:fused`. */
interface StyledLeaf {
  readonly name: string;
  /** The style: the place where sums of blocks are computed, and whether products have an order. */
  readonly style: Style;
  /** Terms in each separate sum of its leaf products: see `PlanOptions.run`. */
  readonly run?: number;
  /** The blocking of its fused products. @defaultValue chosen by shape */
  readonly blocking?: string;
}

/**
 * Terms in each separate sum. The rounding errors of k random terms one after the other add up to about u·√(k²/2), those of runs of r
 * terms to u·√(k·r/2 + k²/2r): at k = 2048, 1448 u and 520 u. Half as many would leave 384 u, and took an H100 4 % longer.
 */
const RUN = 256;

/** Styled leaves: one for each style, then one for each blocking of fused products. */
export const styledLeaves: readonly StyledLeaf[] = [
  { name: 'fused', style: 'fused' },
  { name: 'fused-hybrid', style: 'hybrid' },
  { name: 'fused-atomic', style: 'atomic' },
  { name: 'wide', style: 'wide' },
  { name: 'runs', style: 'scheduled', run: RUN },
  { name: 'wide-runs', style: 'wide', run: RUN },
  ...fusedTilings.map(({ name }): StyledLeaf => ({ name: `fused-${name}`, style: 'fused', blocking: name })),
];

export const findStyled = (leaf: string): StyledLeaf | undefined =>
  styledLeaves.find(({ name }) => name === leaf);

/** True if products of a kernel sum blocks themselves. */
export const isFusedLeaf = ({ style }: StyledLeaf): boolean => styles[style].levels > 0;

/** Returns the styled leaves of an algorithm; one that saves no product, and so has no sums of blocks, has two. */
function styledLeavesOf(algorithm: Algorithm): readonly StyledLeaf[] {
  const { m, k, n } = algorithm.base;
  return rank(algorithm) < m * k * n
    ? styledLeaves
    : styledLeaves.filter(({ name }) => name === 'fused' || name === 'runs');
}

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
