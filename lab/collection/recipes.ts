import type { Dimension } from './split.ts';

/** Products that are split along a dimension: the parts of the first and the second table lie side by side. */
export const splits: readonly { first: string; second: string; along: Dimension }[] = [
  { first: 'strassen-1969', second: 'alphatensor-2x2x4', along: 'n' },
  { first: 'strassen-1969', second: 'alphatensor-2x2x5', along: 'n' },
  { first: 'alphatensor-2x2x4', second: 'alphatensor-2x2x4', along: 'n' },
  { first: 'alphatensor-2x3x3', second: 'alphatensor-2x3x3', along: 'n' },
  { first: 'alphatensor-2x3x3', second: 'alphatensor-2x3x4', along: 'n' },
  { first: 'alphatensor-2x3x4', second: 'alphatensor-2x3x4', along: 'n' },
  { first: 'alphatensor-2x3x4', second: 'alphatensor-2x3x5', along: 'n' },
  { first: 'alphatensor-2x4x4', second: 'alphatensor-2x4x4', along: 'n' },
  { first: 'alphatensor-2x4x4', second: 'alphatensor-2x4x5', along: 'n' },
  { first: 'alphatensor-2x5x5', second: 'alphatensor-2x5x5', along: 'n' },
  { first: 'smirnov-3x3x3', second: 'alphatensor-3x3x4', along: 'n' },
  { first: 'alphatensor-3x3x4', second: 'alphatensor-3x3x4', along: 'n' },
  { first: 'alphatensor-3x4x4', second: 'alphatensor-3x4x4', along: 'n' },
  { first: 'alphatensor-3x4x4', second: 'alphatensor-3x4x5', along: 'n' },
];

/** Pairs of tables that are composed: two levels as one table. */
export const compositions: readonly { outer: string; inner: string }[] = [
  { outer: 'strassen-1969', inner: 'strassen-1969' },
  { outer: 'strassen-1969', inner: 'alphatensor-2x2x3' },
  { outer: 'strassen-1969', inner: 'alphatensor-2x3x3' },
  { outer: 'strassen-1969', inner: 'smirnov-3x3x3' },
];
