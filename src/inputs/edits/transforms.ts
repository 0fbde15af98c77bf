import type { Random } from '../../base/random.ts';
import type { Matrix } from '../../matrix/dense.ts';
import { singlePrecision } from '../../precision/single.ts';
import type { Acceptance, InputShape } from '../input.ts';
import type { Edit, EditKind, PairTraits } from './edit.ts';

/** Most binades by which a line is scaled. */
const BINADES = 6;
/** Number of binades below 1 in which entries of families may lie. They stay normal after the division. */
const GRAIN = 24;

/** Accepts shapes where scaled entries are normal numbers and no blocks of unlike lines are added before the multiplication. */
const accepting =
  (binades: number) =>
  ({ precision = singlePrecision, levels = 0 }: InputShape): Acceptance => {
    if (levels > 0) return { ok: false, reason: 'recursion adds rows or columns of different magnitudes' };
    const { multiplied, accumulated } = precision;
    const isNormal =
      2 ** (-binades - GRAIN) >= Math.max(multiplied.minNormal, accumulated.minNormal * 2 ** GRAIN);
    return isNormal
      ? { ok: true }
      : { ok: false, reason: `entries of 2^-${binades + GRAIN} are not normal in ${precision.name}` };
  };
const [accepts, acceptsTwice] = [accepting(BINADES), accepting(2 * BINADES)];

/** Returns an edit without an argument. Its pairs keep their traits except for those given. */
function disguise(
  name: string,
  what: string,
  apply: Edit['apply'],
  more: Partial<Pick<Edit, 'accepts' | 'traits'>> = {},
): EditKind {
  const edit: Edit = { text: name, traits: (before) => before, ...more, apply };
  return { name, what, takes: undefined, read: () => edit };
}

const scaled = ({ reach, ...before }: PairTraits): PairTraits => ({
  ...before,
  reach: { entries: reach.entries + BINADES, sums: reach.sums + 2 * BINADES },
});

/** Draws exponents of lines. */
const exponents = (count: number, random: Random) =>
  Array.from({ length: count }, () => random.int(-BINADES, BINADES));

function multiplied({ cols, data }: Matrix, powerOf: (row: number, col: number) => number): void {
  for (let at = 0; at < data.length; at++) data[at] *= 2 ** powerOf(Math.floor(at / cols), at % cols);
}

/** Moves entries within a matrix. */
function moved({ rows, cols, data }: Matrix, row: ArrayLike<number>, col: ArrayLike<number>): void {
  const before = data.slice();
  for (let i = 0, at = 0; i < rows; i++)
    for (let j = 0; j < cols; j++, at++) data[at] = before[row[i] * cols + col[j]];
}

/** Hides a family that a kernel recognizes by its order. */
const permuted = disguise(
  'permuted',
  'Rows of A, columns of B and the shared k are permuted at random.',
  ({ a, b }, { shared }) => {
    const inner = shared.permutation(a.cols);
    moved(a, shared.permutation(a.rows), inner);
    moved(b, inner, shared.permutation(b.cols));
  },
);

/** Keeps the product and changes every entry. */
const rescaled = disguise(
  'rescaled',
  'Columns of A are multiplied by random powers of two, and the matching rows of B divided by them.',
  ({ a, b }, { shared }) => {
    const powers = exponents(a.cols, shared);
    multiplied(a, (_, p) => powers[p]);
    multiplied(b, (p) => -powers[p]);
  },
  {
    accepts,
    traits: (before) => ({
      ...scaled(before),
      reach: { ...scaled(before).reach, sums: before.reach.sums },
      hasUnits: true,
    }),
  },
);

/** Keeps the errors in units of each entry. */
const scaledLines = disguise(
  'scaled-lines',
  'Rows of A and columns of B are multiplied by random powers of two.',
  ({ a, b }, { random }) => {
    const [rows, cols] = [exponents(a.rows, random), exponents(b.cols, random)];
    multiplied(a, (i) => rows[i]);
    multiplied(b, (_, j) => cols[j]);
  },
  // C is not scaled with them.
  { accepts, traits: (before) => ({ ...scaled(before), exactness: 'none' }) },
);

/** Changes the size of entries, for code paths selected by size. */
const resized = disguise(
  'resized',
  'A and B are each multiplied by a random power of two.',
  ({ a, b }, { random }) => {
    for (const of of [a, b]) {
      const power = random.int(-BINADES, BINADES);
      multiplied(of, () => power);
    }
  },
  { accepts, traits: (before) => ({ ...scaled(before), exactness: 'none' }) },
);

/** Produces small results, for kernels that replace small results by zeros. */
const dwarfed = disguise(
  'dwarfed',
  `A and B are divided by random powers of two, 2^${BINADES} or more.`,
  ({ a, b }, { random }) => {
    for (const of of [a, b]) {
      const power = -random.int(BINADES, 2 * BINADES);
      multiplied(of, () => power);
    }
  },
  { accepts: acceptsTwice, traits: (before) => ({ ...before, exactness: 'none' }) },
);

/** Draws a nonempty range of indices below `count`. */
function rangeIn(count: number, random: Random): readonly [from: number, to: number] {
  const [one, other] = [random.int(0, count - 1), random.int(0, count - 1)];
  return [Math.min(one, other), Math.max(one, other)];
}

/** Places a small product anywhere in a larger one. */
const embedded = disguise(
  'embedded',
  'All of A and B becomes zero except a random block of each.',
  ({ a, b }, { random }) => {
    const [m, k, n] = [a.rows, a.cols, b.cols].map((count) => rangeIn(count, random));
    const isIn = (at: number, [from, to]: readonly [number, number]) => at >= from && at <= to;
    const cut = (
      { cols, data }: Matrix,
      rows: readonly [number, number],
      columns: readonly [number, number],
    ) => {
      for (let at = 0; at < data.length; at++)
        if (!isIn(Math.floor(at / cols), rows) || !isIn(at % cols, columns)) data[at] = 0;
    };
    cut(a, m, k);
    cut(b, k, n);
  },
);

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

/** Most bands of a matrix. */
const BANDS = 4;

/** Cuts lines into bands, each of which looks like another family. */
function intoBands({ cols, data }: Matrix, byRows: boolean, random: Random): void {
  const isWhole = data.every((x) => !Number.isFinite(x) || Number.isInteger(x));
  const kinds = isWhole ? KEEPING : CHANGING;
  const count = byRows ? data.length / cols : cols;
  const ends = Array.from({ length: random.int(1, BANDS) }, () => random.int(1, count)).sort((x, y) => x - y);
  const own = [...ends, count].map(() => kinds[random.int(0, kinds.length - 1)]);
  const first = data[0];
  for (let at = 0; at < data.length; at++) {
    const line = byRows ? Math.floor(at / cols) : at % cols;
    const band = ends.findIndex((end) => line < end);
    data[at] = own[band < 0 ? ends.length : band](data[at], first);
  }
}

/** Changes later entries, for code paths selected by the first entries or by all of them. */
const mixed = disguise(
  'mixed',
  'Bands of rows of A and columns of B resemble other families: signs, magnitudes, equal, zero, smaller.',
  ({ a, b }, { random }) => {
    intoBands(a, true, random);
    intoBands(b, false, random);
  },
  {
    traits: (before) => ({
      ...before,
      statistics: 'structured',
      exactness: before.exactness === 'integers' ? 'integers' : 'none',
      isSpread: true,
    }),
  },
);

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
