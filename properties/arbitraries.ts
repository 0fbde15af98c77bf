import fc from 'fast-check';
import { countLevelsWithin } from '../src/algorithms/algorithm.ts';
import { algorithms } from '../src/algorithms/algorithms.ts';
import { growthOfKernel, sharedGrowth } from '../src/algorithms/growth.ts';
import type { InputFamily, InputPair } from '../src/inputs/input.ts';
import { inputs } from '../src/inputs/inputs.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { precisions } from '../src/precision/precisions.ts';
import { type Case, caseOf } from '../src/problem/case.ts';
import { type Fringe, fringes, type Tail, tails } from '../src/problem/method.ts';
import type { FlatCase } from '../src/problem/problem.ts';
import { adversaries } from './adversaries.ts';

/** The sides of tiles and blocks, and their neighbors. */
const EDGES = [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33];
const FAR_EDGES = [63, 64, 65, 127, 128, 129];
const PRIMES = [2, 3, 5, 7, 11, 13, 19, 23, 29, 37];

/** Draws sizes from 1 to `largest`: mostly 1, tile sides and their neighbors, and primes. */
export function sizes(largest: number): fc.Arbitrary<number> {
  const among = (list: readonly number[]) => fc.constantFrom(1, ...list.filter((size) => size <= largest));
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.constant(1) },
    { weight: 8, arbitrary: among(EDGES) },
    { weight: 6, arbitrary: among(PRIMES) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: largest }) },
    { weight: 1, arbitrary: among(FAR_EDGES) },
  );
}

/** Draws m×k×n products of {@link sizes}. */
export function shapes(largest: number): fc.Arbitrary<Shape> {
  const size = sizes(largest);
  return fc.record({ m: size, k: size, n: size });
}

export const noLevels: fc.Arbitrary<number> = fc.constant(0);

/** Draws up to three levels. Three levels are rare, since they take a thousand dispatches. */
export const someLevels: fc.Arbitrary<number> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 10, arbitrary: fc.constant(1) },
  { weight: 8, arbitrary: fc.constant(2) },
  { weight: 1, arbitrary: fc.constant(3) },
);

export const seeds: fc.Arbitrary<number> = fc.nat(2 ** 31 - 1);

/** The domain of a law's cases. */
export interface Domain {
  readonly kernels: readonly string[];
  /** Names of families, from the product's own or the {@link adversaries}. */
  readonly inputs: readonly string[];
  readonly levels: fc.Arbitrary<number>;
  /** The largest dimension. */
  readonly largest: number;
  readonly fringes?: readonly Fringe[];
  readonly tails?: readonly Tail[];
  /** Precision; binary32 by default. */
  readonly precision?: string;
}

/**
 * Draws cases of a domain. A shape that the input refuses is changed to one that it accepts. The levels are limited to those that take at
 * most some hundred products and that the input accepts.
 */
export function cases(domain: Domain): fc.Arbitrary<Case> {
  return fc
    .record({
      kernel: fc.constantFrom(...domain.kernels),
      levels: domain.levels,
      fringe: fc.constantFrom(...(domain.fringes ?? fringes)),
      tail: fc.constantFrom(...(domain.tails ?? tails)),
      input: fc.constantFrom(...toFormat(domain.precision ?? 'f32', domain.inputs)),
      shape: shapes(domain.largest),
      seed: seeds,
    })
    .map(({ shape, ...rest }) => {
      const drawn = { ...rest, precision: domain.precision ?? ('f32' as const) };
      return caseOf({ ...drawn, ...accepted(drawn, shape) });
    });
}

/** The families for tests of rounding: all with finite entries. */
export const finiteInputs: readonly string[] = [...inputs, ...adversaries].flatMap(({ name }) =>
  name === 'special-values' ? [] : [name],
);

/** Returns the families that a precision can hold, at some levels of small products. */
export function toFormat(precision: string, names: readonly string[], levels = 0): string[] {
  const shape = { m: 8, k: 8, n: 8, levels, growth: sharedGrowth(), precision: precisions.find(precision) };
  return names.filter((name) => familyOf(name).accepts(shape).ok);
}

/** Returns the matrices of a case. */
export function expand({
  kernel,
  problem: { input, m, k, n, seed, precision },
  method: { levels },
}: Case): InputPair {
  const growth = growthOfKernel(kernel);
  return familyOf(input).generate({ m, k, n, levels, growth, seed, precision: precisions.find(precision) });
}

function familyOf(name: string): InputFamily {
  const found = [...inputs, ...adversaries].find((family) => family.name === name);
  if (found === undefined) throw new Error(`There is no input family ${name}.`);
  return found;
}

function accepted(
  { kernel, input, precision, levels }: Pick<FlatCase, 'kernel' | 'input' | 'precision' | 'levels'>,
  shape: Shape,
): Shape & { levels: number } {
  const { m, k, n } = shape;
  const most = Math.min(levels, deepest(kernel));
  const fewer = Array.from({ length: most + 1 }, (_, less) => most - less);
  const tries = fewer.flatMap((levels) =>
    [shape, { m, k: k + 2, n }, { m, k: m, n: m }].map((shape) => ({ ...shape, levels })),
  );
  const family = familyOf(input);
  const limits = { growth: growthOfKernel(kernel), precision: precisions.find(precision) };
  const found = tries.find((tried) => family.accepts({ ...tried, ...limits }).ok);
  if (found === undefined) throw new Error(`${input} accepts nothing near ${m}×${k}×${n}.`);
  return found;
}

/** Most products of a plan. Three levels of Strassen's are 343 products, two of Laderman's 529. */
const MOST_PRODUCTS = 600;

/** Returns the most levels of a kernel's algorithm with at most {@link MOST_PRODUCTS}; for external kernels, any number. */
export function deepest(kernel: string): number {
  const [name] = kernel.split(':');
  const algorithm = algorithms.find((one) => one.name === name);
  return algorithm === undefined ? Number.POSITIVE_INFINITY : countLevelsWithin(algorithm, MOST_PRODUCTS);
}
