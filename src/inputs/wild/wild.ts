import { createRandom, type Random } from '../../base/random.ts';
import { OURS } from '../../base/registry.ts';
import { singlePrecision } from '../../precision/single.ts';
import { exp2 } from '../exp2.ts';
import { isFitted } from '../fitted.ts';
import { ACCEPTED, type Acceptance, type InputShape, inputFamily } from '../input.ts';
import { drawDraft, drawPair, dropUninformativeSigns, largestMagnitude } from './draw-pair.ts';
import { type DraftMatrix, entryGetter, mapTable } from './table.ts';

/** Binary exponents: the largest entries are from 2^-FAR to 2^FAR, and those of C are within 2^±BESIDE of a product. */
const [FAR, BESIDE] = [20, 6];
/** Fewest range and bits of a format: its range has room for the data, and its bits distinguish entries. */
const [RANGE, BITS] = [2 ** 100, 8];

/** Streams of A, of B, of scales, of C, and of the sample. */
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
  mapTable(table, (x) => (Math.abs(x) < largest * LEAST ? 0 : x * factor));
}
const LEAST = 2 ** -40;

function accepts({ precision = singlePrecision, levels = 0 }: InputShape): Acceptance {
  const { multiplied, accumulated, d, complex, coded, name } = precision;
  if (levels > 0) return { ok: false, reason: 'recursion adds rows or columns of different magnitudes' };
  if (complex === true) return { ok: false, reason: 'real parts of products can cancel' };
  const isRoomy = [multiplied, accumulated, d].every(({ maxFinite }) => maxFinite >= RANGE);
  return isRoomy && multiplied.precision >= BITS && coded === undefined && !isFitted(precision)
    ? ACCEPTED
    : { ok: false, reason: `${name} has no room for entries from 2^-${FAR} to 2^${FAR}` };
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
    const exponents = exponentsOf(random(OF_SCALES));
    rescale(pair.a, exponents[0]);
    rescale(pair.b, exponents[1]);
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
