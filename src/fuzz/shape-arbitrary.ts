import fc from 'fast-check';
import type { Shape } from '../matrix/dense.ts';
import { telling } from './sizes.ts';

/** Draws one number from 1 to the largest size. */
type Draw = (most: number) => number;

/** Kinds of shapes, each as often as its weight says. */
const kinds: readonly { readonly weight: number; readonly shape: (size: Draw, most: number) => Shape }[] = [
  { weight: 4, shape: (size, most) => ({ m: size(most), k: size(most), n: size(most) }) },
  { weight: 3, shape: (size, most) => cube(size(most)) },
  { weight: 1, shape: (size, most) => ({ m: size(most), k: size(most), n: size(few(most)) }) },
  { weight: 1, shape: (size, most) => ({ m: size(few(most)), k: size(most), n: size(most) }) },
  { weight: 1, shape: (size, most) => ({ m: size(few(most)), k: size(most), n: size(few(most)) }) },
  { weight: 1, shape: (size, most) => ({ m: size(most), k: size(few(most)), n: size(most) }) },
];

const FEW = 4;
const few = (most: number) => Math.min(most, FEW);
const cube = (size: number): Shape => ({ m: size, k: size, n: size });

/** Small sizes are drawn for their own sake too: there are more of them than there are edges. */
const SMALL = 8;

/**
 * Shapes up to a size, biased to sizes where faults show, thin, fat and long ones among them. They shrink to the
 * smallest m, then k, then n that still fails; cubes as cubes first.
 */
export class ShapeArbitrary extends fc.Arbitrary<Shape> {
  private readonly most: number;
  private readonly edges: readonly number[];

  /** @param tiles sizes of tiles whose multiples are edges. */
  constructor(most: number, tiles: readonly number[]) {
    super();
    this.most = most;
    this.edges = telling(most, tiles);
  }

  override generate(random: fc.Random): fc.Value<Shape> {
    const weights = kinds.reduce((sum, { weight }) => sum + weight, 0);
    let at = random.nextInt(1, weights);
    const kind = kinds.find(({ weight }) => {
      at -= weight;
      return at <= 0;
    }) as (typeof kinds)[number];
    return new fc.Value(
      kind.shape((most) => this.size(random, most), this.most),
      undefined,
    );
  }

  private size(random: fc.Random, most: number): number {
    const edges = this.edges.filter((edge) => edge <= most);
    const ways = [
      () => edges[random.nextInt(0, edges.length - 1)],
      () => edges[random.nextInt(0, edges.length - 1)],
      () => random.nextInt(1, Math.min(most, SMALL)),
      () => random.nextInt(1, most),
    ];
    return ways[random.nextInt(0, ways.length - 1)]();
  }

  override canShrinkWithoutContext(value: unknown): value is Shape {
    return typeof value === 'object' && value !== null && 'm' in value && 'k' in value && 'n' in value;
  }

  override shrink(shape: Shape): fc.Stream<fc.Value<Shape>> {
    return fc.stream(smallerShapes(shape)).map((smaller) => new fc.Value(smaller, undefined));
  }
}

function* smallerShapes({ m, k, n }: Shape): Generator<Shape> {
  if (m === k && k === n) for (const size of smaller(m)) yield cube(size);
  for (const size of smaller(m)) yield { m: size, k, n };
  for (const size of smaller(k)) yield { m, k: size, n };
  for (const size of smaller(n)) yield { m, k, n: size };
}

/** 1, then ever closer to the size itself. */
function* smaller(size: number): Generator<number> {
  for (let gap = size - 1; gap >= 1; gap = Math.floor(gap / 2)) yield size - gap;
}
