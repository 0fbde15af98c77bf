import { lookUp } from '../base/objects.ts';
import type { BatchedShape } from '../problem/boundary-shapes.ts';

/** A family of entries, sometimes with an edit. A code path may take such values for granted. */
export type EntryFamily = readonly [input: string, edit?: string];

/** Entries for exact products, and random entries, the most sensitive most often. Each edit leaves a decisive check. */
const ENTRIES: readonly (readonly EntryFamily[])[] = [
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

/** Entries for exact products where all sizes are equal, so that matrices may be symmetric. */
const OF_CUBES: readonly EntryFamily[] = [
  ['integers', 'symmetric'],
  ['integers', 'squared'],
  ['integers', 'gram'],
  ['integers'],
];
const isCube = ({ m, k, n }: BatchedShape): boolean => m === k && k === n;

/** The family whose errors are random in sums of any length. */
export const RANDOM = 'uniform';

/** The edit whose entries leave no room for factors, nor for the additions of fast algorithms. Its cases have no variation. */
export const FULL = 'near-largest';

/** Shortest sums of families whose shorter products are all zero. */
const LEAST: Readonly<Record<string, number>> = { 'complementary-zeros': 16 };

/** The purpose of a family: exact products (0) or random entries (1). */
export type EntryPurpose = 0 | 1;

/** Conditions on the entries of a case. */
interface Asked {
  readonly sizes: BatchedShape;
  readonly kind: EntryPurpose;
  /** True if a family may be drawn. */
  readonly inputs: (name: string) => boolean;
  /** True if the case leaves room for entries near the largest number: no factors and no levels. */
  readonly isRoomy: boolean;
  /** Entries that are used for both kinds. */
  readonly given?: readonly EntryFamily[] | undefined;
}

/** Returns the entries of a kind that fit the sizes, in rotation order. */
export function entryFamiliesFor({ sizes, kind, inputs, isRoomy, given }: Asked): readonly EntryFamily[] {
  const all = given ?? (isCube(sizes) && kind === 0 ? OF_CUBES : ENTRIES[kind]);
  return all.filter(
    ([input, edit]) => inputs(input) && sizes.k >= (lookUp(LEAST, input) ?? 0) && (edit !== FULL || isRoomy),
  );
}
