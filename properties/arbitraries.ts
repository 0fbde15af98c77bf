import fc from 'fast-check';
import { type PrecisionName, precisions } from '../src/formats/precision.ts';
import type { Case } from '../src/gate/case.ts';
import type { InputFamily, InputPair } from '../src/inputs/input.ts';
import { inputs } from '../src/inputs/inputs.ts';
import type { Shape } from '../src/matrix/dense.ts';
import { type Border, borders, type Edge, edges } from '../src/plan/plan.ts';
import { adversaries } from './adversaries.ts';

/** The sides of tiles and blocks, and their neighbours. */
const EDGES = [3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33];
const FAR_EDGES = [63, 64, 65, 127, 128, 129];
const PRIMES = [2, 3, 5, 7, 11, 13, 19, 23, 29, 37];

/** Sizes from 1 to `largest`: mostly 1, tile sides and their neighbours, and primes. */
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

/** m×k×n products of {@link sizes}. */
export function shapes(largest: number): fc.Arbitrary<Shape> {
  const size = sizes(largest);
  return fc.record({ m: size, k: size, n: size });
}

export const noLevels: fc.Arbitrary<number> = fc.constant(0);

/** Up to three levels, three of them seldom: a thousand dispatches. */
export const someLevels: fc.Arbitrary<number> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 10, arbitrary: fc.constant(1) },
  { weight: 8, arbitrary: fc.constant(2) },
  { weight: 1, arbitrary: fc.constant(3) },
);

export const seeds: fc.Arbitrary<number> = fc.nat(2 ** 31 - 1);

/** What a law draws its cases from. */
export interface Domain {
  readonly kernels: readonly string[];
  /** Names of families, of the product's own or of the {@link adversaries}. */
  readonly inputs: readonly string[];
  readonly levels: fc.Arbitrary<number>;
  /** The largest dimension. */
  readonly largest: number;
  readonly borders?: readonly Border[];
  readonly edges?: readonly Edge[];
  /** By default binary32. */
  readonly precision?: PrecisionName;
}

/** Cases of a domain. A shape that the input refuses is changed to one it accepts. */
export function cases(domain: Domain): fc.Arbitrary<Case> {
  return fc
    .record({
      kernel: fc.constantFrom(...domain.kernels),
      levels: domain.levels,
      border: fc.constantFrom(...(domain.borders ?? borders)),
      edge: fc.constantFrom(...(domain.edges ?? edges)),
      input: fc.constantFrom(...domain.inputs),
      shape: shapes(domain.largest),
      seed: seeds,
    })
    .map(({ shape, ...rest }) => {
      const { precision } = domain;
      return { ...rest, ...accepted({ ...rest, precision }, shape), ...(precision && { precision }) };
    });
}

/** The families that judges of rounding may see: everything finite. */
export const finiteInputs: readonly string[] = [...inputs, ...adversaries].flatMap(({ name }) =>
  name === 'special-values' ? [] : [name],
);

/** Those of the families that a precision can hold, at some levels of small products. */
export function heldIn(precision: PrecisionName, names: readonly string[], levels = 0): string[] {
  const shape = { m: 8, k: 8, n: 8, levels, precision: precisions[precision] };
  return names.filter((name) => familyOf(name).accepts(shape).ok);
}

/** The matrices of a case. */
export function expand({ input, m, k, n, levels, seed, precision = 'f32' }: Case): InputPair {
  return familyOf(input).generate({ m, k, n, levels, seed, precision: precisions[precision] });
}

function familyOf(name: string): InputFamily {
  const found = [...inputs, ...adversaries].find((family) => family.name === name);
  if (found === undefined) throw new Error(`There is no input family ${name}.`);
  return found;
}

function accepted(
  { input, levels, precision = 'f32' }: Pick<Case, 'input' | 'levels' | 'precision'>,
  shape: Shape,
): Shape {
  const { m, k, n } = shape;
  const tries = [shape, { m, k: k + 2, n }, { m, k: m, n: m }];
  const family = familyOf(input);
  const found = tries.find(
    (shape) => family.accepts({ ...shape, levels, precision: precisions[precision] }).ok,
  );
  if (found === undefined) throw new Error(`${input} accepts nothing near ${m}×${k}×${n}.`);
  return found;
}
