import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { mapEntries } from '../fitted.ts';
import { plainEdit, structured } from './edit.ts';

/** Returns the source of an entry: another place of the same matrix, or undefined where it becomes zero. */
type Source = (i: number, j: number) => readonly [i: number, j: number] | undefined;

/** A structure of entries that depends on their places or on each other. */
type Pattern = (of: Matrix, random: Random) => void;

/** Copies entries from other places, so that none is larger than before. */
const placed =
  (sourceOf: (of: Matrix, random: Random) => Source): Pattern =>
  (of, random) => {
    const source = sourceOf(of, random);
    const before = of.data.slice();
    const { rows, cols } = of;
    mapEntries(of, (_, i, j) => {
      const from = source(i, j);
      return from === undefined ? 0 : before[(from[0] % rows) * cols + (from[1] % cols)];
    });
  };

const where = (holds: (i: number, j: number, of: Matrix, random: Random) => boolean): Pattern =>
  placed((of, random) => (i, j) => (holds(i, j, of, random) ? [i, j] : undefined));

const valued =
  (changed: (x: number, first: number) => number): Pattern =>
  (of) => {
    const first = Math.abs(of.data[0]);
    mapEntries(of, (x) => changed(x, first));
  };

/** Returns the row of the diagonal in a column. The matrix need not be square. */
const diagonal = (j: number, { rows, cols }: Matrix) => Math.floor((j * rows) / cols);

/** Entries that depend on their places, as in structured matrices of linear algebra, tables, masks and pictures. */
const LAID: readonly Pattern[] = [
  placed(() => () => [0, 0]),
  placed(() => (_, j) => [0, j]),
  placed(() => (i) => [i, 0]),
  placed((_, random) => {
    const period = random.int(2, 5);
    return (i, j) => [i % period, j];
  }),
  placed((_, random) => {
    const period = random.int(2, 5);
    return (i, j) => [i, j % period];
  }),
  placed(({ cols }) => (i, j) => [0, i + cols - j]),
  placed(() => (i, j) => [0, i + j]),
  placed(() => (i, j) => [Math.min(i, j), Math.max(i, j)]),
  placed(({ cols }) => (i, j) => [i, Math.min(j, cols - 1 - j)]),
];

/** Patterns that set places to zero. */
const MASKED: readonly Pattern[] = [
  where((i, j, of) => i >= diagonal(j, of)),
  where((i, j, of) => i <= diagonal(j, of)),
  where((i, j, of) => Math.abs(i - diagonal(j, of)) <= 1),
  where((i, j, of) => i === diagonal(j, of)),
  where((i, j) => i >> 2 === j >> 2),
  where((i, j) => (i + j) % 2 === 0),
  where((i, j, _, random) => random.int(1, 10) === 1 || i + j === 0),
  where((i, _, { rows }) => 2 * i >= rows - 1),
  where((_, j, { cols }) => 2 * j < cols),
  placed(({ cols }, random) => {
    const only = random.permutation(cols);
    return (i, j) => (only[i % cols] === j ? [i, j] : undefined);
  }),
];

/** Patterns of values, independent of their places. */
const VALUED: readonly Pattern[] = [
  valued(Math.abs),
  valued((x) => -Math.abs(x)),
  // Equal sizes of both signs add up to 0, which only exact products keep.
  valued((x, first) => (x > 0 ? first : Number.isInteger(first) ? -first : -first / 2)),
  valued((x, first) => (x > 0 ? first : 0)),
  valued((x) => Math.max(x, 0)),
  ({ data }) => data.sort(),
  ({ data }) => data.sort().reverse(),
  ({ rows, cols, data }) => {
    for (let i = 0; i < rows; i++) data.subarray(i * cols, (i + 1) * cols).sort();
  },
];

/** Applies one pattern, drawn from all. */
export function applyPattern(of: Matrix, random: Random): void {
  const kind = [LAID, VALUED, MASKED][random.int(0, 2)];
  if (of.data.length > 0) kind[random.int(0, kind.length - 1)](of, random);
}

/** Applies drawn patterns. Zeros in both factors could leave no product, so only one factor gets them. */
function applyTo(of: Matrix, random: Random, masks: boolean): void {
  if (of.data.length === 0 || random.int(1, 4) === 1) return;
  const kinds = [LAID, VALUED, ...(masks ? [MASKED] : [])];
  for (const kind of kinds) {
    if (random.int(1, 2) === 1) kind[random.int(0, kind.length - 1)](of, random);
  }
}

/** Edit that adds structure, which real data have and random entries lack. A kernel that detects it may multiply in another way. */
export const patterned = plainEdit({
  name: 'patterned',
  what: 'A, B and C each get a random pattern: equal lines, bands, blocks, one sign, few values, sorted rows.',
  traits: structured,
  apply({ a, b }, { random }) {
    const isOfA = random.int(1, 2) === 1;
    applyTo(a, random, isOfA);
    applyTo(b, random, !isOfA);
  },
  addend: (c, { random }) => applyTo(c, random, true),
});
