import { formatCount } from '../report/numbers.ts';
import type { InspectionFinding } from './inspection.ts';
import type { InspectionContext } from './question.ts';
import { makeSparseDot } from './sum-levels.ts';
import { type DotProduct, type DotTerm, lastHolding, makeDot, negateTerm } from './terms.ts';

/** Both factors are near 2^5, so that the difference is a normal number even in f16. */
const SCALE = 2 ** 5;
/** Terms of the sum that holds the pairs. Each of up to 64 lanes then has two terms at least. */
const LENGTH = 128;
/** The long sum: where a kernel of one row has a thread for each term, sums of threads meet only at such distances. */
const LONG = { length: 2048, apart: [128, 256, 512, 1024], lines: 8 };

/** Places of two terms of a sum. */
type Pair = readonly [number, number];

const bothWays = (apart: readonly number[]): Pair[] =>
  apart.flatMap((at): Pair[] => [
    [0, at],
    [at, 0],
  ]);

/**
 * Tests if products are rounded before they are added. A product of w bits next to 1 meets −1, and leaves their difference if one sum takes
 * the product unrounded (by fma, or in wider sums). The sums in which terms meet are unknown, and terms need not meet in the first sum. So
 * all distances up to 64 are tried, which are those of lanes, of parts of k and of blocks, and some far ones.
 */
export async function productFinding(context: InspectionContext): Promise<InspectionFinding> {
  const { session, measures, known } = context;
  const { accumulatorBits = 0, operandBitsHidden } = measures;
  const bits = Math.min(measures.operandBits ?? 2, ...session.sides.map(({ format }) => format.precision));
  const most = 2 * Math.max(1, bits - 1);
  const met = await wherePasses(context, most);
  const whole = met !== undefined;
  const kept = whole ? most : await lastHolding(2, most - 1, (w) => passes(context, w));
  const isMoot = most <= accumulatorBits && whole;
  // Sorted terms may not meet each other. A product that is aligned to −1 loses as many bits as sums do.
  const isAligned = measures.order === 'fused' && kept >= accumulatorBits - 1;
  const open = whole
    ? undefined
    : known.isSorted === true
      ? 'the order of terms depends on the data'
      : isAligned
        ? 'terms that are added at once are aligned to the largest, which cuts products off, too'
        : undefined;
  measures.productBits = kept;
  if (!isMoot && open === undefined && !(operandBitsHidden === true && whole)) measures.fused = whole;
  const about = {
    id: 'product-rounding',
    question: 'Are products rounded before they are added?',
    evidence: `Sums had two terms other than 0: a product p of ${most} bits near 1, and −1. −1 was ${whole ? formatCount(met, 'term') : `${asked(context)} terms`} before or after p in the sum. ${kept} bits of p remained.`,
  };
  if (isMoot) {
    const answer = `nothing to round: products of ${bits} bits by ${bits} fit into sums of ${accumulatorBits}`;
    return { ...about, answer, value: null, confidence: 'measured' };
  }
  if (open !== undefined) {
    return { ...about, answer: `cannot be told: ${open}`, value: null, confidence: 'unknown' };
  }
  return {
    ...about,
    answer: whole
      ? 'no: added with one rounding (fma, or exact products)'
      : `yes, rounded to ${kept} bits${kept === accumulatorBits ? ', as sums are' : ''}`,
    value: whole,
    confidence: 'measured',
  };
}

/** Returns (1 + 2^-s)(1 − 2^-r) with s + r = w and s − r at most 1: a number of w bits below 1. */
function productOf(w: number): DotTerm {
  const [s, r] = [Math.ceil(w / 2), Math.floor(w / 2)];
  return [SCALE * (1 + 2 ** -s), SCALE * (1 - 2 ** -r)];
}

const MINUS_ONE = negateTerm([SCALE, SCALE]);

/** Returns the difference of such a product and 1. */
const left = ([x, y]: DotTerm): number => x * y - SCALE ** 2;

/** True if a product of w bits is unrounded where the first two terms meet, in either order. */
async function passes({ session }: InspectionContext, w: number): Promise<boolean> {
  const product = productOf(w);
  return (await session.dots([makeDot(MINUS_ONE, product), makeDot(product, MINUS_ONE)])).includes(
    left(product),
  );
}

/** Returns the distance of terms at which such a product is added unrounded; undefined if there is none. */
async function wherePasses(context: InspectionContext, w: number): Promise<number | undefined> {
  const { session } = context;
  const product = productOf(w);
  const first = async (pairs: readonly Pair[], ask: (dots: DotProduct[]) => Promise<number[]>, k: number) => {
    if (pairs.length === 0) return undefined;
    const dots = pairs.map(([i, j]) =>
      makeSparseDot(k, [
        [i, MINUS_ONE],
        [j, product],
      ]),
    );
    const at = (await ask(dots)).indexOf(left(product));
    return at === -1 ? undefined : Math.abs(pairs[at][0] - pairs[at][1]);
  };
  const { near, far, length } = distances(context);
  const [next, ...others] = near;
  const inFirst = (apart: readonly number[]) =>
    first(bothWays(apart), (dots) => session.dots(dots, length), length);
  return (
    (await inFirst([next])) ??
    (await inFirst(others)) ??
    (await first(bothWays(far), (dots) => session.dotsIn(longShape, dots), LONG.length))
  );
}

const longShape = { m: LONG.lines, k: LONG.length, n: LONG.lines };

/** Returns the distances that the kernel's shapes allow, and the sum that holds the near ones. */
function distances({ session }: InspectionContext) {
  const inBlock = session.longestInBlock();
  const length = Math.min(inBlock ?? LENGTH, session.taken(LENGTH) ?? session.home(2).k);
  const near = Array.from({ length: Math.max(1, Math.min(LENGTH / 2, length - 1)) }, (_, at) => at + 1);
  const isFar = inBlock === undefined && session.stride === 1 && session.refuses(longShape) === undefined;
  return { length, near, far: isFar ? LONG.apart : [] };
}

/** Lists the distances in words. */
function asked(context: InspectionContext): string {
  const { near, far } = distances(context);
  return [`1 to ${near[near.length - 1]}`, ...far].join(', ');
}
