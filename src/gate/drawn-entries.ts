import { lookUp } from '../base/look-up.ts';
import type { Sizes } from '../problem/landmarks.ts';

/** Entries to draw: a family, and now and then an edit, for what a path may take for granted of its values. */
export type Entries = readonly [input: string, edit?: string];

/** Of exact products, and of random entries, the sharpest most often: each with edits after which some check still decides. */
const ENTRIES: readonly (readonly Entries[])[] = [
  [
    ['integers'],
    ['powers-of-two'],
    ['integers', 'zero-rows:0'],
    ['integers', 'patterned'],
    ['inverse-pair'],
    ['integers', 'opposed:100'],
    ['special-values'],
    ['integers', 'equal-rows'],
    ['integers', 'patterned'],
    ['permutation'],
    ['integers', 'minus-zeros'],
    ['complementary-zeros'],
    ['integers', 'nan:last'],
    ['integers', 'near-largest'],
    ['integers', 'gram'],
    ['integers', 'opposed:-100'],
    ['integers', 'patterned'],
    ['integers', 'nan:row'],
    ['bytes'],
    ['integers', 'intercept'],
    ['ends'],
  ],
  [
    ['uniform'],
    ['uniform-2-5'],
    ['normal'],
    ['uniform', 'spread:24'],
    ['uniform', 'patterned'],
    ['wide-exponents'],
    ['uniform', 'opposed:-100'],
    ['scaled-rows'],
    ['uniform', 'minus-zeros'],
    ['relu'],
    ['weights'],
    ['uniform', 'cancel:8'],
    ['softmax'],
    ['normal', 'patterned'],
    ['uniform', 'near-least'],
    ['uniform-0-1', 'near-largest'],
    ['uniform', 'nan:column'],
    ['decimals'],
    ['signals'],
    ['measurements'],
    ['uniform', 'intercept'],
    ['unit-rows'],
    ['rotations'],
    ['uniform', 'whole'],
    ['relu', 'special:16'],
    ['uniform', 'far-bands:75'],
  ],
];

/** Exact ones where all sizes are the same, and symmetry is to be had. */
const OF_CUBES: readonly Entries[] = [
  ['integers', 'symmetric'],
  ['integers', 'squared'],
  ['integers', 'gram'],
  ['integers'],
];
const isCube = ({ m, k, n }: Sizes): boolean => m === k && k === n;

/** The family whose errors are random in sums of any length. */
export const RANDOM = 'uniform';

/** The edit whose entries leave no room for factors, nor for what fast algorithms of others add: it is never varied. */
export const FULL = 'near-largest';

/** The shortest sums of families whose products would else be zero alone. */
const LEAST: Readonly<Record<string, number>> = { 'complementary-zeros': 16 };

/** What a family is taken for: exact products, or random entries. */
export type Kind = 0 | 1;

/** What is asked of entries. */
interface Asked {
  readonly sizes: Sizes;
  readonly kind: Kind;
  /** Whether a family is drawn from. */
  readonly inputs: (name: string) => boolean;
  /** Whether there is room for factors and levels beside entries near the largest number. */
  readonly isRoomy: boolean;
  /** Those that are taken whatever the kind. */
  readonly given?: readonly Entries[] | undefined;
}

/** The entries of a kind that fit sizes, in the order in which they take turns. */
export function entriesFor({ sizes, kind, inputs, isRoomy, given }: Asked): readonly Entries[] {
  const all = given ?? (isCube(sizes) && kind === 0 ? OF_CUBES : ENTRIES[kind]);
  return all.filter(
    ([input, edit]) => inputs(input) && sizes.k >= (lookUp(LEAST, input) ?? 0) && (edit !== FULL || isRoomy),
  );
}
