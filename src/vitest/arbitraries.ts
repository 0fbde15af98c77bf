import fc from 'fast-check';
import { badNumber } from '../base/messages.ts';
import { DrawnFields, drawnShapes } from '../fuzz/drawn-fields.ts';
import { findInput } from '../inputs/inputs.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { precisions } from '../precision/precisions.ts';
import type { Flat } from '../problem/problem.ts';

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
  readonly precision?: string | undefined;
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
 * @throws ParanoiaError `bad-number`
 */
export function shapes({ max = 64, tiles = TILES }: ShapesOptions = {}): fc.Arbitrary<Shape> {
  requireSizes(max, tiles);
  return drawnShapes({ maxSize: max, tiles });
}

/** @throws ParanoiaError `bad-number` */
function requireSizes(max: number, tiles: readonly number[]): void {
  for (const [what, sizes] of [
    ['The largest size', [max]] as const,
    ['The size of a tile', tiles] as const,
  ]) {
    const wrong = sizes.find((size) => !Number.isInteger(size) || size < 1 || size > LARGEST);
    if (wrong === undefined) continue;
    throw badNumber({ what, given: wrong, need: `a whole number from 1 to ${LARGEST}` });
  }
}

/**
 * Pairs of operands. What is drawn is a shape, a family and a seed; a family that refuses the shape gives way to the next.
 * Shrinking makes the shape smaller, the family simpler, then the seed.
 * @throws ParanoiaError `unknown-name`, `bad-number`; `no-cases` where no family takes any shape.
 */
export function operands(options: OperandsOptions = {}): fc.Arbitrary<Operands> {
  const { max = 64, tiles = TILES, inputs = usualInputs } = options;
  requireSizes(max, tiles);
  const precision = precisions.find(options.precision ?? 'f32');
  const families = inputs.map(findInput);
  const space = { maxSize: max, tiles, inputs };
  const settle = (drawn: Partial<Drawn>) => {
    const value = drawn as Drawn;
    const at = inputs.indexOf(value.input);
    const family = [...families.slice(at), ...families].find(
      (candidate) => candidate.accepts({ ...value, levels: 0, precision }).ok,
    );
    return family === undefined ? undefined : { ...value, input: family.name };
  };
  const drawn = new DrawnFields(['m', 'k', 'n', 'input', 'seed'], space, settle);
  return drawn.map(({ input, seed, ...shape }) => {
    const { a, b } = findInput(input).generate({ ...shape, seed, levels: 0, precision });
    return describable({ a, b, shape, input, seed });
  });
}

type Drawn = Pick<Flat, 'm' | 'k' | 'n' | 'input' | 'seed'>;

function describable(pair: Omit<Operands, typeof fc.toStringMethod>): Operands {
  const { shape, input, seed } = pair;
  const text = `operands({ shape: ${shape.m}×${shape.k}×${shape.n}, input: '${input}', seed: ${seed} })`;
  // Not enumerable: it is no part of what tests compare.
  return Object.defineProperty(pair, fc.toStringMethod, { value: () => text }) as Operands;
}
