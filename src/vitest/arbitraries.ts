import fc from 'fast-check';
import { badNumber } from '../base/messages.ts';
import { DrawnFields, shapeArbitrary } from '../fuzz/drawn-fields.ts';
import { findInput } from '../inputs/inputs.ts';
import type { Matrix, Shape } from '../matrix/dense.ts';
import { precisions } from '../precision/precisions.ts';
import type { FlatCase } from '../problem/problem.ts';

/** Options of {@link shapes}. */
export interface ShapesOptions {
  /** The largest m, k and n. @defaultValue 64 */
  readonly max?: number | undefined;
  /** Tile sizes: shapes near their multiples are drawn more often. @defaultValue 4, 8, 16, 32, 64 */
  readonly tiles?: readonly number[] | undefined;
}

/** Options of {@link operands}. */
export interface OperandsOptions extends ShapesOptions {
  /** Families of test matrices, the simplest first: operands shrink towards the first. @defaultValue {@link usualInputs} */
  readonly inputs?: readonly string[] | undefined;
  /** The precision that entries are rounded to. @defaultValue 'f32' */
  readonly precision?: string | undefined;
}

/** A pair of operands, and the draw that they were made from. */
export interface Operands {
  /** m×k */
  readonly a: Matrix;
  /** k×n */
  readonly b: Matrix;
  readonly shape: Shape;
  /** The family of test matrices. */
  readonly input: string;
  readonly seed: number;
  /** Prints the operands for fast-check: `operands({ shape: 3×5×2, input: uniform, seed: 17 })`. */
  [fc.toStringMethod](): string;
}

/** Families of finite operands of every kind: few-valued, random, scaled, spread, and cancelling. */
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
 * Draws shapes of products, biased to where faults show: primes, powers of two and tiles ±1, thin, wide and long ones. They
 * shrink to the smallest m, then k, then n that still fails.
 * @throws ParanoiaError `bad-number`
 */
export function shapes({ max = 64, tiles = TILES }: ShapesOptions = {}): fc.Arbitrary<Shape> {
  requireSizes(max, tiles);
  return shapeArbitrary({ maxSize: max, tiles });
}

/** Checks the options of shapes. @throws ParanoiaError `bad-number` */
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
 * Draws pairs of operands: a shape, a family and a seed each. Where a family refuses the shape, the next family is used.
 * Shrinking makes the shape smaller, then the family simpler, then the seed smaller.
 * @throws ParanoiaError `unknown-name`, `bad-number`; `no-cases` if no family accepts any shape
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

type Drawn = Pick<FlatCase, 'm' | 'k' | 'n' | 'input' | 'seed'>;

function describable(pair: Omit<Operands, typeof fc.toStringMethod>): Operands {
  const { shape, input, seed } = pair;
  const text = `operands({ shape: ${shape.m}×${shape.k}×${shape.n}, input: '${input}', seed: ${seed} })`;
  // Not enumerable, so that tests do not compare it.
  return Object.defineProperty(pair, fc.toStringMethod, { value: () => text }) as Operands;
}
