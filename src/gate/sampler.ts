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

/** Entries to draw: a family, and now and then an edit, for what a path may take for granted of its values. */
type Entries = readonly [input: string, edit?: string];

/** Of exact products, and of random entries, the sharpest most often: each with edits after which some check still decides. */
const ENTRIES: readonly (readonly Entries[])[] = [
  [
    ['integers'],
    ['powers-of-two'],
    ['integers', 'zero-rows:0'],
    ['inverse-pair'],
    ['integers', 'opposed:100'],
    ['special-values'],
    ['integers', 'equal-rows'],
    ['permutation'],
    ['integers', 'minus-zeros'],
    ['complementary-zeros'],
    ['integers', 'nan:last'],
    ['integers', 'nan:row'],
  ],
  [
    ['uniform'],
    ['uniform-2-5'],
    ['uniform', 'spread:24'],
    ['wide-exponents'],
    ['uniform', 'opposed:100'],
    ['scaled-rows'],
    ['uniform', 'minus-zeros'],
    ['relu'],
    ['uniform', 'cancel:8'],
    ['softmax'],
    ['uniform', 'nan:column'],
  ],
];

/** The shortest sums of families whose products would else be zero alone. */
const LEAST: Readonly<Record<string, number>> = { 'complementary-zeros': 16 };

/** Beyond so many multiplications a shape meets one family, not one of each kind. */
const LARGE = 2 ** 20;

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
  const kinds = ENTRIES.map((kind) => kind.filter(([input]) => inputs(input)));
  return shapes.flatMap((shape, at) => {
    const wanted = productsOf(shape) > LARGE ? [kinds[at % 2]] : kinds;
    return wanted.flatMap((kind): PlannedCase[] => {
      const fitting = kind.filter(([input]) => shape.k >= (LEAST[input] ?? 0));
      if (fitting.length === 0) return [];
      const turn = Math.floor(at / 2) % fitting.length;
      const [input, edit = 'none'] = fitting[turn];
      const others = [...fitting.slice(turn), ...fitting.slice(0, turn)].map(([name]) => name);
      const found = settled({ ...shape, levels, seed, input, edit }, drawn, others);
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
