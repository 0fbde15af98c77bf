import { exp2 } from '../../base/binary64.ts';
import { createRandom, pickRandom, type Random } from '../../base/random.ts';
import { OURS } from '../../base/registry.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { Precision } from '../../precision/precision.ts';
import { singlePrecision } from '../../precision/single.ts';
import { UNLIKE_LINES } from '../edits/edit.ts';
import { applyPattern } from '../edits/patterned.ts';
import { isFitted, mapEntries } from '../fitted.ts';
import { type Acceptance, acceptIf, type InputShape, inputFamily, reachOfIntegers } from '../input.ts';
import { integerBudget, operandLimit } from '../integer-budget.ts';
import { integers } from '../integers.ts';
import { changeAtRandom } from './changes.ts';
import { drawField } from './fields.ts';
import { type DraftGenerator, type DraftMatrix, entryGetter, makeDraft } from './table.ts';

/** Binary exponents: the largest entries are from 2^-FAR to 2^FAR, and those of C are within 2^±BESIDE of a product. */
const [FAR, BESIDE] = [20, 6];
/** Fewest range and bits of a format: its range has room for the data, and its bits distinguish entries. */
const [RANGE, BITS] = [2 ** 100, 8];

/** Streams of A, of B, of scales or of A's share of the room, of C, and of the sample. */
const [OF_A, OF_B, OF_SCALES, OF_C, OF_SAMPLE] = [1, 2, 4, 5, 6];

/** Draws the exponents of the largest entries of A and B. Undefined where a matrix keeps its own unit. */
function exponentsOf(random: Random): readonly (number | undefined)[] {
  return [0, 1].map(() => (random.int(0, 1) === 0 ? undefined : random.uniform(-FAR, FAR)));
}

/** Scales the largest entry to 2^exponent. Entries too many binades below it become zero, so that no product is subnormal. */
function rescale(table: DraftMatrix, exponent: number | undefined): void {
  const largest = largestMagnitude(table.data);
  if (largest === 0) return;
  const isInRange = largest <= 2 ** FAR && largest >= 2 ** -FAR;
  const factor = exponent !== undefined ? exp2(exponent) / largest : isInRange ? 1 : 1 / largest;
  mapEntries(table, (x) => (Math.abs(x) < largest * LEAST ? 0 : x * factor));
}
const LEAST = 2 ** -40;

function accepts({ precision = singlePrecision, levels = 0 }: InputShape): Acceptance {
  const { multiplied, accumulated, d, complex, coded, name } = precision;
  if (levels > 0) return UNLIKE_LINES;
  if (complex === true) return { ok: false, reason: 'real parts of products can cancel' };
  const isRoomy = [multiplied, accumulated, d].every(({ maxFinite }) => maxFinite >= RANGE);
  return acceptIf(
    isRoomy && multiplied.precision >= BITS && coded === undefined && !isFitted(precision),
    `${name} has no room for entries from 2^-${FAR} to 2^${FAR}`,
  );
}

/**
 * A model of typical operands without a list of them. Each matrix has a drawn structure of drawn numbers, some drawn changes, and a drawn
 * size. The statistics of errors are unknown, so bounds judge.
 */
export const wild = inputFamily({
  name: 'wild',
  what: `Random distributions, structures, relations and magnitudes of entries, the largest from 2^-${FAR} to 2^${FAR}.`,
  source: OURS,
  catches: 'Code paths for entries of any structure and any magnitude.',
  statistics: 'structured',
  exactness: 'none',
  reach: { entries: FAR, sums: 2 * FAR + 17 },
  accepts,
  make: (request) => {
    const { m, k, n, random, fill, precision } = request;
    const pair = drawPair(request, random(OF_A), random(OF_B));
    dropUninformativeSigns(pair, precision, random(OF_SAMPLE));
    const [ofA, ofB] = exponentsOf(random(OF_SCALES));
    rescale(pair.a, ofA);
    rescale(pair.b, ofB);
    return { a: fill(m, k, entryGetter(pair.a)), b: fill(k, n, entryGetter(pair.b)) };
  },
  editAddend(c, seed) {
    const grain = c.data instanceof Float64Array ? 'fine' : 'coarse';
    const random = createRandom(seed, OF_C, grain);
    const [ofA, ofB] = exponentsOf(createRandom(seed, OF_SCALES, grain));
    const made = drawDraft(c.rows, c.cols, random);
    const isFree = ofA === undefined || ofB === undefined;
    rescale(made, isFree ? (ofA ?? ofB) : ofA + ofB + random.uniform(-BESIDE, BESIDE));
    c.data.set(made.data);
  },
});

/** Rounds numbers to whole ones, the largest as large as allowed. Nonzero numbers stay nonzero. */
function makeWhole(table: DraftMatrix, most: number): void {
  const factor = most / largestMagnitude(table.data);
  mapEntries(table, (x) =>
    x === 0 ? 0 : Math.sign(x) * Math.max(1, Math.min(most, Math.floor(Math.abs(x) * factor))),
  );
}

/** Data of {@link wild} as whole numbers. Whatever its structure, the product is judged at zero tolerance. */
export const wildIntegers = inputFamily({
  name: 'wild-integers',
  what: 'Whole numbers of random structures, with A, B and C independent or related; all sums stay exact.',
  source: OURS,
  catches: 'Code paths for entries of any structure, at zero tolerance.',
  statistics: 'structured',
  exactness: 'integers',
  reachOf: reachOfIntegers,
  accepts: (shape) => integers.accepts(shape),
  make: (request) => {
    const { random, fill, m, k, n, precision } = request;
    const pair = drawPair(request, random(OF_A), random(OF_B));
    const [budget, limit] = [integerBudget(k, request), operandLimit(request)];
    // Products of a batch may share a matrix, so the room is divided in the same way in all.
    const bits = createRandom(73 * m + 179 * k + 283 * n, OF_SCALES).uniform(
      0,
      Math.floor(Math.log2(budget)),
    );
    const mostA = Math.min(limit, Math.floor(exp2(bits)));
    const mostB = Math.min(limit, Math.floor(budget / mostA));
    makeWhole(pair.a, mostA);
    makeWhole(pair.b, mostB);
    // With factors of many bits, sums are rounded after all.
    dropUninformativeSigns(pair, precision, random(OF_SAMPLE));
    return { a: fill(m, k, entryGetter(pair.a)), b: fill(k, n, entryGetter(pair.b)) };
  },
  editAddend(c, seed) {
    const random = createRandom(seed, OF_C);
    for (let count = random.int(0, 2); count > 0; count--) applyPattern(c, random);
  },
});

/** A and B before rounding to a format. */
interface UnroundedPair {
  readonly a: DraftMatrix;
  readonly b: DraftMatrix;
}

const drawDraft: DraftGenerator = (rows, cols, random) => {
  const made = drawField(rows, cols, random);
  changeAtRandom(made, random);
  return made;
};

/** Reads entries of another matrix from given places, cyclically. */
const from = (
  { rows, cols, data }: DraftMatrix,
  place: (i: number, j: number) => readonly [number, number],
) => {
  return (i: number, j: number): number => {
    const [row, col] = place(i, j);
    return data[(row % rows) * cols + (col % cols)];
  };
};

/** Derives B from A: A itself, its transpose or its negative, moved or changed. */
function related(a: DraftMatrix, k: number, n: number, random: Random): DraftMatrix {
  const isTurned = random.int(0, 2) > 0;
  const entry = from(a, isTurned ? (p, j) => [j, p] : (p, j) => [p, j]);
  const factor = pickRandom(random, [1, 1, 1, -1, 2, random.normal()]);
  const b = makeDraft(k, n, (p, j) => factor * entry(p, j));
  if (random.int(0, 2) === 0) changeAtRandom(b, random);
  return b;
}

const RELATED = 6;

/** Draws A and B, usually independently, sometimes B from A. */
function drawPair({ m, k, n }: Shape, ofA: Random, ofB: Random): UnroundedPair {
  const a = drawDraft(m, k, ofA);
  const isRelated = ofB.int(1, RELATED) === 1 && a.data.length > 0;
  return { a, b: isRelated ? related(a, k, n, ofB) : drawDraft(k, n, ofB) };
}

/** Number of sampled rows and columns of a product, besides those of the largest entries. */
const LOOKED_AT = 24;
/** Least ratio of sums to a rough bound of their errors. */
const MARGIN = 40;

function linesOf(count: number, largest: number, random: Random): number[] {
  if (count <= LOOKED_AT) return Array.from({ length: count }, (_, at) => at);
  return [largest, ...Array.from({ length: LOOKED_AT }, () => random.int(0, count - 1))];
}

/** True if sums exceed their possible errors so far that a bound is informative. Sums that cancel are not. */
function isTelling({ a, b }: UnroundedPair, precision: Precision, random: Random): boolean {
  const k = a.cols;
  const columns = linesOf(b.cols, largestAt(b.data) % Math.max(1, b.cols), random);
  let [values, sizes] = [0, 0];
  for (const i of linesOf(a.rows, Math.floor(largestAt(a.data) / Math.max(1, k)), random)) {
    for (const j of columns) {
      let [sum, size] = [0, 0];
      for (let p = 0; p < k; p++) {
        const term = a.data[i * k + p] * b.data[p * b.cols + j];
        sum += term;
        size += Math.abs(term);
      }
      values += sum * sum;
      sizes += size * size;
    }
  }
  const { a: stored, multiplied, accumulated } = precision;
  const lost = k * accumulated.unitRoundoff + 2 * Math.max(stored.unitRoundoff, multiplied.unitRoundoff);
  return sizes > 0 && values >= (MARGIN * lost) ** 2 * sizes;
}

/** Drops signs where bounds would not be informative: without signs no sum cancels. */
function dropUninformativeSigns(pair: UnroundedPair, precision: Precision, random: Random): void {
  if (isTelling(pair, precision, random)) return;
  for (const one of [pair.a, pair.b]) mapEntries(one, Math.abs);
}

function largestAt(data: ArrayLike<number>): number {
  let most = 0;
  for (let at = 1; at < data.length; at++) if (Math.abs(data[at]) > Math.abs(data[most])) most = at;
  return most;
}

/** Returns the largest size of an entry, 0 where there is none. */
export const largestMagnitude = (data: ArrayLike<number>): number =>
  data.length === 0 ? 0 : Math.abs(data[largestAt(data)]);
