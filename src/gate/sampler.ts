import { seeded } from '../base/random.ts';
import { settled } from '../fuzz/case-arbitrary.ts';
import type { Target } from '../fuzz/target.ts';
import type { Shape } from '../matrix/dense.ts';
import { changed } from '../problem/case.ts';
import { coveringDesign, type Extent } from '../problem/covering-design.ts';
import { landmarks } from '../problem/landmarks.ts';
import { belongs, sizeClasses } from '../problem/size-classes.ts';
import type { PlannedCase } from '../run/planned-case.ts';

/** What a campaign draws beside its fixed cases. */
export interface Draws {
  readonly seed: number;
  /** Designs, each drawn from a seed of its own. */
  readonly rounds: number;
  /** How large the products of a design may be. */
  readonly extent: Extent;
  /** Multiplications of the largest landmark. */
  readonly largest: number;
}

/** A stream that no family draws from. */
const STREAM = 3000;

/** The shapes of so many rounds: a covering design and a shape of every landmark, as far as they are taken. */
export function drawnShapes(
  { seed, rounds, extent, largest }: Draws,
  takes: (shape: Shape) => boolean,
): Shape[] {
  return Array.from({ length: rounds }, (_, round) => {
    const random = seeded(seed, STREAM + round);
    const drawn = landmarks.map(({ draw }) => draw(random));
    const marks = drawn.filter((shape) => productsOf(shape) <= largest && takes(shape));
    return [...coveringDesign(random, { ...extent, takes }), ...marks];
  }).flat();
}

export const productsOf = ({ m, k, n }: Shape): number => m * k * n;

/** Families of exact products, and of random entries, the sharpest of them most often. */
const FAMILIES = [
  [
    'integers',
    'powers-of-two',
    'integers',
    'inverse-pair',
    'special-values',
    'integers',
    'permutation',
    'complementary-zeros',
  ],
  ['uniform', 'uniform-2-5', 'uniform', 'wide-exponents', 'scaled-rows', 'uniform', 'relu', 'softmax'],
] as const;

/** Beyond so many multiplications a shape meets one family, not one of each kind. */
const LARGE = 2 ** 20;

/** Now and then operands are changed, for what a path may take for granted of its values. */
const EDITS = [
  ...['none', 'none', 'spread:24', 'none', 'zero-rows:0', 'none', 'opposed:100', 'none', 'nan:last'],
  ...['none', 'equal-rows', 'minus-zeros', 'none', 'cancel:8', 'none', 'nan:row', 'none'],
];

/** Who is drawn for. */
type Drawn = Pick<Target, 'kernel' | 'precision' | 'claimed' | 'refuses'> & { readonly levels?: number };

/**
 * The cases of a kernel on drawn shapes: of each, one whose products are exact and one of random entries, of large ones
 * either in turn.
 * @param inputs the families to draw from, where they are not all.
 */
export function drawnCases(
  shapes: readonly Shape[],
  { levels = 0, ...drawn }: Drawn,
  { seed, inputs }: { readonly seed: number; readonly inputs: (name: string) => boolean },
): PlannedCase[] {
  const families = FAMILIES.map((kind) => kind.filter(inputs));
  return shapes.flatMap((shape, at) => {
    const kinds = productsOf(shape) > LARGE ? [families[at % 2]] : families;
    return kinds.flatMap((kind): PlannedCase[] => {
      if (kind.length === 0) return [];
      const turn = Math.floor(at / 2) % kind.length;
      const fields = { ...shape, levels, seed, input: kind[turn], edit: EDITS[at % EDITS.length] };
      const found = settled(fields, drawn, [...kind.slice(turn), ...kind.slice(0, turn)]);
      return found === undefined ? [] : [{ ...found, series: false, drawn: true }];
    });
  });
}

/** Multiplications of a case that is asked for again and again, and how often. */
const REPEATED = { most: 2 ** 22, times: 10 };

/** The same cases, of which the largest of each class of sizes of each dimension are asked for ten times, in changing company. */
export function withRepeats(cases: readonly PlannedCase[]): PlannedCase[] {
  const most = new Map<string, PlannedCase>();
  for (const value of cases) {
    const { problem } = value;
    const products = productsOf(problem);
    if (products === 0 || products > REPEATED.most || problem.edit !== 'none') continue;
    for (const key of ['m', 'k', 'n'] as const) {
      for (const { name } of sizeClasses.filter((one) => belongs(problem[key], one))) {
        const before = most.get(`${key} ${name}`);
        if (before === undefined || productsOf(before.problem) < products) most.set(`${key} ${name}`, value);
      }
    }
  }
  const chosen = new Set(most.values());
  return cases.map((value) =>
    chosen.has(value) ? { ...value, ...changed(value, { repeats: REPEATED.times }) } : value,
  );
}
