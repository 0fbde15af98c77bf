import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { singlePrecision } from '../../precision/single.ts';
import { mapEntries } from '../fitted.ts';
import { type Acceptance, acceptIf, type InputShape } from '../input.ts';
import { type EditKind, GRAIN, type PairTraits, plainEdit, structured, UNLIKE_LINES } from './edit.ts';
import type { IndexRange } from './zero.ts';

/** Most binades by which a line is scaled. */
const BINADES = 6;

/** Accepts shapes where scaled entries are normal numbers and no blocks of unlike lines are added before the multiplication. */
const accepting =
  (binades: number) =>
  ({ precision = singlePrecision, levels = 0 }: InputShape): Acceptance => {
    if (levels > 0) return UNLIKE_LINES;
    const { multiplied, accumulated } = precision;
    return acceptIf(
      2 ** (-binades - GRAIN) >= Math.max(multiplied.minNormal, accumulated.minNormal * 2 ** GRAIN),
      `entries of 2^-${binades + GRAIN} are not normal in ${precision.name}`,
    );
  };
const [accepts, acceptsTwice] = [accepting(BINADES), accepting(2 * BINADES)];

const scaled = ({ reach, ...before }: PairTraits): PairTraits => ({
  ...before,
  reach: { entries: reach.entries + BINADES, sums: reach.sums + 2 * BINADES },
});

const exponents = (count: number, random: Random) =>
  Array.from({ length: count }, () => random.int(-BINADES, BINADES));

function multiplied(of: Matrix, powerOf: (row: number, col: number) => number): void {
  mapEntries(of, (x, i, j) => x * 2 ** powerOf(i, j));
}

function moved(of: Matrix, row: ArrayLike<number>, col: ArrayLike<number>): void {
  const before = of.data.slice();
  mapEntries(of, (_, i, j) => before[row[i] * of.cols + col[j]]);
}

/** Hides a family that a kernel recognizes by its order. */
const permuted = plainEdit({
  name: 'permuted',
  what: 'Rows of A, columns of B and the shared k are permuted at random.',
  apply({ a, b }, { shared }) {
    const inner = shared.permutation(a.cols);
    moved(a, shared.permutation(a.rows), inner);
    moved(b, inner, shared.permutation(b.cols));
  },
});

/** Keeps the product and changes every entry. */
const rescaled = plainEdit({
  name: 'rescaled',
  what: 'Columns of A are multiplied by random powers of two, and the matching rows of B divided by them.',
  apply({ a, b }, { shared }) {
    const powers = exponents(a.cols, shared);
    multiplied(a, (_, p) => powers[p]);
    multiplied(b, (p) => -powers[p]);
  },
  accepts,
  traits: (before) => ({
    ...scaled(before),
    reach: { ...scaled(before).reach, sums: before.reach.sums },
    hasUnits: true,
  }),
});

/** Keeps the errors in units of each entry. */
const scaledLines = plainEdit({
  name: 'scaled-lines',
  what: 'Rows of A and columns of B are multiplied by random powers of two.',
  apply({ a, b }, { random }) {
    const [rows, cols] = [exponents(a.rows, random), exponents(b.cols, random)];
    multiplied(a, (i) => rows[i]);
    multiplied(b, (_, j) => cols[j]);
  },
  accepts,
  // C is not scaled with them.
  traits: (before) => ({ ...scaled(before), exactness: 'none' }),
});

/** Changes the size of entries, for code paths selected by size. */
const resized = plainEdit({
  name: 'resized',
  what: 'A and B are each multiplied by a random power of two.',
  apply({ a, b }, { random }) {
    for (const of of [a, b]) {
      const power = random.int(-BINADES, BINADES);
      multiplied(of, () => power);
    }
  },
  accepts,
  traits: (before) => ({ ...scaled(before), exactness: 'none' }),
});

/** Produces small results, for kernels that replace small results by zeros. */
const dwarfed = plainEdit({
  name: 'dwarfed',
  what: `A and B are divided by random powers of two, 2^${BINADES} or more.`,
  apply({ a, b }, { random }) {
    for (const of of [a, b]) {
      const power = -random.int(BINADES, 2 * BINADES);
      multiplied(of, () => power);
    }
  },
  accepts: acceptsTwice,
  traits: (before) => ({ ...before, exactness: 'none' }),
});

/** Draws a nonempty range of indices below `count`. */
function rangeIn(count: number, random: Random): IndexRange {
  const [one, other] = [random.int(0, count - 1), random.int(0, count - 1)];
  return [Math.min(one, other), Math.max(one, other)];
}

/** Places a small product anywhere in a larger one. */
const embedded = plainEdit({
  name: 'embedded',
  what: 'All of A and B becomes zero except a random block of each.',
  apply({ a, b }, { random }) {
    const [m, k, n] = [a.rows, a.cols, b.cols].map((count) => rangeIn(count, random));
    const isIn = (at: number, [from, to]: IndexRange) => at >= from && at <= to;
    mapEntries(a, (x, i, p) => (isIn(i, m) && isIn(p, k) ? x : 0));
    mapEntries(b, (x, p, j) => (isIn(p, k) && isIn(j, n) ? x : 0));
  },
});

/** Changes of a value of a block, given the first value. Whole numbers stay whole, and none becomes larger. */
const KEEPING: readonly ((x: number, first: number) => number)[] = [
  (x) => x,
  Math.sign,
  Math.abs,
  (x) => -x,
  () => 0,
  (x, first) => (Math.abs(x) > Math.abs(first) ? first : x),
  (_, first) => first,
];
/** Changes of other values: also sizes far apart, and powers of two. */
const CHANGING = [
  ...KEEPING,
  (x: number) => (Math.abs(x) < 2 ** -GRAIN ? x : x / 2 ** BINADES),
  (x: number) =>
    x === 0 || !Number.isFinite(x) ? x : Math.sign(x) * 2 ** Math.floor(Math.log2(Math.abs(x))),
];

const BANDS = 4;

/** Cuts lines into bands, each of which looks like another family. */
function intoBands(of: Matrix, byRows: boolean, random: Random): void {
  const { cols, data } = of;
  const isWhole = data.every((x) => !Number.isFinite(x) || Number.isInteger(x));
  const kinds = isWhole ? KEEPING : CHANGING;
  const count = byRows ? data.length / cols : cols;
  const ends = Array.from({ length: random.int(1, BANDS) }, () => random.int(1, count)).sort((x, y) => x - y);
  const own = [...ends, count].map(() => kinds[random.int(0, kinds.length - 1)]);
  const first = data[0];
  mapEntries(of, (x, i, j) => {
    const band = ends.findIndex((end) => (byRows ? i : j) < end);
    return own[band < 0 ? ends.length : band](x, first);
  });
}

/** Changes later entries, for code paths selected by the first entries or by all of them. */
const mixed = plainEdit({
  name: 'mixed',
  what: 'Bands of rows of A and columns of B resemble other families: signs, magnitudes, equal, zero, smaller.',
  apply({ a, b }, { random }) {
    intoBands(a, true, random);
    intoBands(b, false, random);
  },
  traits: structured,
});

/** Metamorphic transforms: they keep the values but hide them from recognition. Each case is judged as all others are. */
export const transforms: readonly EditKind[] = [
  permuted,
  rescaled,
  scaledLines,
  resized,
  dwarfed,
  embedded,
  mixed,
];
