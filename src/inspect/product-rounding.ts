import type { Finding } from './inspection.ts';
import type { Context } from './question.ts';
import { placed } from './sum-levels.ts';
import { type Dot, dot, lastHolding, negative, type Term } from './terms.ts';

/** Both factors are near 2^5, so that what is left is a normal number even in f16. */
const SCALE = 2 ** 5;
/** The sum that pairs of terms are put into: two terms at least in each of so many lanes as lie between. */
const LENGTH = 128;
/** Sums of a thread for each term, as kernels of one row have them, meet at such distances alone. */
const LONG = { length: 2048, apart: [128, 256, 512, 1024], lines: 8 };

/** Places of two terms of a sum. */
type Pair = readonly [number, number];

const bothWays = (apart: readonly number[]): Pair[] =>
  apart.flatMap((at): Pair[] => [
    [0, at],
    [at, 0],
  ]);

/**
 * Whether products are rounded before they are added: −1 and a product of w bits next to 1 leave what tells them apart where they meet in one
 * sum that takes the product whole (fma, or wider sums). In which sums terms meet is not known, nor need they meet in the first:
 * so all distances up to 64 are asked, which are those of lanes, of parts of k and of blocks, and some far ones.
 */
export async function productFinding(context: Context): Promise<Finding> {
  const { session, measured, known } = context;
  const { accumulatorBits = 0, operandBitsHidden } = measured;
  const bits = Math.min(measured.operandBits ?? 2, ...session.sides.map(({ format }) => format.precision));
  const most = 2 * Math.max(1, bits - 1);
  const met = await wherePasses(context, most);
  const whole = met !== undefined;
  const kept = whole ? most : await lastHolding(2, most - 1, (w) => passes(context, w));
  const isMoot = most <= accumulatorBits && whole;
  // Of terms that are sorted none is known to meet another.
  // What is aligned to −1 loses as many bits as sums do.
  const isAligned = measured.order === 'fused' && kept >= accumulatorBits - 1;
  const open = whole
    ? undefined
    : known.isSorted === true
      ? 'the order of terms depends on the data'
      : isAligned
        ? 'terms that are added at once are aligned to the largest, which cuts products off, too'
        : undefined;
  measured.productBits = kept;
  if (!isMoot && open === undefined && !(operandBitsHidden === true && whole)) measured.fused = whole;
  const about = {
    id: 'product-rounding',
    question: 'Are products rounded before they are added?',
    evidence: `Products of w bits, less 1, left w bits for w up to ${kept} of ${most}; ${whole ? `seen of terms ${met} apart` : `asked of terms ${asked(context)} apart`}.`,
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

/** (1 + 2^-s)(1 − 2^-r) with s + r = w and s − r at most 1: a number of w bits below 1. */
function productOf(w: number): Term {
  const [s, r] = [Math.ceil(w / 2), Math.floor(w / 2)];
  return [SCALE * (1 + 2 ** -s), SCALE * (1 - 2 ** -r)];
}

const MINUS_ONE = negative([SCALE, SCALE]);

/** The rest of such a product less 1. */
const left = ([x, y]: Term): number => x * y - SCALE ** 2;

/** True if a product of w bits is whole when the first two terms meet, one way or the other. */
async function passes({ session }: Context, w: number): Promise<boolean> {
  const product = productOf(w);
  return (await session.dots([dot(MINUS_ONE, product), dot(product, MINUS_ONE)])).includes(left(product));
}

/** How far apart terms lie of which such a product is added whole; undefined for none. */
async function wherePasses(context: Context, w: number): Promise<number | undefined> {
  const { session } = context;
  const product = productOf(w);
  const first = async (pairs: readonly Pair[], ask: (dots: Dot[]) => Promise<number[]>, k: number) => {
    if (pairs.length === 0) return undefined;
    const dots = pairs.map(([i, j]) =>
      placed(k, [
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

/** The distances that a kernel can be asked about, and the sum that the near ones are asked in. */
function distances({ session }: Context) {
  const inBlock = session.longestInBlock();
  const length = Math.min(inBlock ?? LENGTH, session.taken(LENGTH) ?? session.home(2).k);
  const near = Array.from({ length: Math.max(1, Math.min(LENGTH / 2, length - 1)) }, (_, at) => at + 1);
  const isFar = inBlock === undefined && session.stride === 1 && session.refuses(longShape) === undefined;
  return { length, near, far: isFar ? LONG.apart : [] };
}

/** The distances in words. */
function asked(context: Context): string {
  const { near, far } = distances(context);
  return [`1 to ${near[near.length - 1]}`, ...far].join(', ');
}
