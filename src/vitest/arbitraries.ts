import fc from 'fast-check';
import { findPrecision, type PrecisionName } from '../formats/precision.ts';
import { ShapeArbitrary } from '../fuzz/shape-arbitrary.ts';
import { findInput } from '../inputs/inputs.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { problem } from '../problems.ts';

/** Which shapes are drawn. */
export interface ShapesOptions {
  /** The largest m, k and n. @defaultValue 64 */
  readonly max?: number | undefined;
  /** Sizes of tiles: what is near their multiples is drawn more often. @defaultValue 4, 8, 16, 32, 64 */
  readonly tiles?: readonly number[] | undefined;
}

/** Which operands are drawn. */
export interface OperandsOptions extends ShapesOptions {
  /** Families of test matrices, the simplest first: operands shrink towards it. @defaultValue {@link usualInputs} */
  readonly inputs?: readonly string[] | undefined;
  /** What entries are rounded to. @defaultValue 'f32' */
  readonly precision?: PrecisionName | undefined;
}

/** A pair of operands, and what it was made from. */
export interface Operands {
  /** m×k */
  readonly a: Matrix;
  /** k×n */
  readonly b: Matrix;
  readonly shape: Shape;
  /** The family of test matrices. */
  readonly input: string;
  readonly seed: number;
  /** How fast-check prints it: `operands({ shape: 3×5×2, input: uniform, seed: 17 })`. */
  [fc.toStringMethod](): string;
}

/** Finite operands of every kind: few-valued and random, scaled and spread, and such that cancel. */
export const usualInputs: readonly string[] = [
  'integers',
  'uniform',
  'uniform-2-5',
  'scaled-rows',
  'complementary-zeros',
  'wide-exponents',
];

const TILES = [4, 8, 16, 32, 64];
const LARGEST = 32768;

/**
 * Shapes of products, biased to where faults show: primes, powers of two and tiles ±1, thin, fat and long ones. They shrink
 * to the smallest m, then k, then n that still fails.
 * @throws Problem `bad-number`
 */
export function shapes({ max = 64, tiles = TILES }: ShapesOptions = {}): fc.Arbitrary<Shape> {
  for (const [what, sizes] of [
    ['The largest size', [max]] as const,
    ['The size of a tile', tiles] as const,
  ]) {
    const wrong = sizes.find((size) => !Number.isInteger(size) || size < 1 || size > LARGEST);
    if (wrong === undefined) continue;
    throw problem('bad-number', { what, given: wrong, need: `a whole number from 1 to ${LARGEST}` });
  }
  return new ShapeArbitrary(max, tiles);
}

/**
 * Pairs of operands. What is drawn is a shape, a family and a seed; a family that refuses the shape gives way to the next.
 * Shrinking makes the shape smaller, the family simpler, then the seed.
 * @throws Problem `unknown-name`, `bad-number`; `no-cases` where no family takes any shape.
 */
export function operands(options: OperandsOptions = {}): fc.Arbitrary<Operands> {
  const precision = findPrecision(options.precision ?? 'f32');
  const families = (options.inputs ?? usualInputs).map(findInput);
  const drawn = fc
    .record({
      shape: shapes(options),
      first: fc.nat(Math.max(0, families.length - 1)),
      seed: fc.noBias(fc.integer({ min: 1, max: 2 ** 32 - 1 })),
    })
    .map(({ shape, first, seed }) => {
      const request = { ...shape, seed, levels: 0, precision };
      const order = [...families.slice(first), ...families.slice(0, first)];
      const family = order.find((candidate) => candidate.accepts(request).ok);
      return { family, request, shape, seed };
    })
    .filter(({ family }) => family !== undefined);
  const possible = families.some((family) =>
    SAMPLE_SHAPES.some((shape) => family.accepts({ ...shape, levels: 0, precision }).ok),
  );
  if (!possible) throw problem('no-cases', {});
  return drawn.map(({ family, request, shape, seed }) => {
    const { a, b } = (family as NonNullable<typeof family>).generate(request);
    const input = (family as NonNullable<typeof family>).name;
    return describable({ a, b, shape, input, seed });
  });
}

/** A family that takes neither of them takes no shape that is drawn often enough. */
const SAMPLE_SHAPES: readonly Shape[] = [1, 2, 3, 16].map((size) => ({ m: size, k: size, n: size }));

function describable(pair: Omit<Operands, typeof fc.toStringMethod>): Operands {
  const { shape, input, seed } = pair;
  const text = `operands({ shape: ${shape.m}×${shape.k}×${shape.n}, input: '${input}', seed: ${seed} })`;
  // Not enumerable: it is no part of what tests compare.
  return Object.defineProperty(pair, fc.toStringMethod, { value: () => text }) as Operands;
}
