import type { Shape } from '../matrix/dense.ts';
import { hasSingleUnit, isSigned } from './operand-format.ts';
import type { InspectionQuestion } from './question.ts';
import type { InspectionSession } from './session.ts';
import type { DotProduct } from './terms.ts';
import { SkippedQuestion } from './wrong-product.ts';

/** Bits beyond which sums may overflow their numbers: int8, int16, the whole numbers of binary32, int32. */
const BITS = [7, 8, 15, 16, 24, 31];
/** Largest number of terms. */
const LONGEST = { quick: 4096, full: 2 ** 18 };

/** Finds where sums of whole numbers stop being exact, and what they become. */
export const wholeSums: InspectionQuestion = {
  id: 'whole-sums',
  question: 'How large may sums of whole numbers be?',
  wrongProducts: 'own',
  async ask({ session, measures, quick, stop }) {
    const { sides } = session;
    if (!sides.every(({ format }) => hasSingleUnit(format)) || sides.every((side) => !isSigned(side)))
      return [];
    const longest = quick ? LONGEST.quick : LONGEST.full;
    const told: { readonly bits: number; readonly asked: Asked; readonly found: number }[] = [];
    for (const bits of BITS) {
      const k = termsBeyond(session, 2 ** bits);
      if (stop() || k > longest) break;
      const shape = k > LONGEST.quick ? { m: 1, k, n: 1 } : session.home(k);
      if (session.refuses(shape) !== undefined) break;
      const asked = beyond(session, 2 ** bits);
      const found = await sumsOf(session, shape, asked, longest);
      const wrong = found.find((one) => one !== asked.expected);
      told.push({ bits, asked, found: wrong ?? asked.expected });
      if (wrong !== undefined) break;
    }
    const last = told.at(-1);
    if (last === undefined) throw new SkippedQuestion('It accepts no sums that are long enough.');
    const { bits, asked, found } = last;
    const isExact = found === asked.expected;
    if (!isExact) measures.wholeSums = bits;
    return [
      {
        answer: isExact
          ? `exact beyond 2^${bits}; larger sums were not tested`
          : `${told.length < 2 ? '' : `exact up to 2^${told[told.length - 2].bits} at least; `}beyond 2^${bits} ${becomes(found, asked, 2 ** bits)}`,
        value: isExact ? bits : (told.at(-2)?.bits ?? 0),
        confidence: 'measured',
        evidence: `${asked.words} in ${asked.dot.a.length} terms gave ${found}${isExact ? '' : `, not ${asked.expected}`}.`,
      },
    ];
  },
};

/** Number of lanes or parts of k whose sums may be kept apart. */
const APART = 64;

/** Computes a sum with neighboring terms, then with all terms in one lane, then with all in one part of k. */
async function sumsOf(
  session: InspectionSession,
  shape: Shape,
  { dot }: Asked,
  longest: number,
): Promise<number[]> {
  const k = dot.a.length * APART;
  const put = (place: (at: number) => number): DotProduct => {
    const [a, b] = [new Array<number>(k).fill(0), new Array<number>(k).fill(0)];
    for (let at = 0; at < dot.a.length; at++) {
      a[place(at)] = dot.a[at];
      b[place(at)] = dot.b[at];
    }
    return { a, b };
  };
  const long = { m: 1, k, n: 1 };
  const isAsked = k <= longest && session.refuses(long) === undefined;
  const found = await session.asTheyAre(shape, [dot]);
  for (const place of isAsked ? [(at: number) => at * APART, (at: number) => at] : [])
    found.push(...(await session.asTheyAre(long, [put(place)])));
  return found.map((sum) => sum / unitOf(session));
}

/** A sum that leaves a range. */
interface Asked {
  readonly dot: DotProduct;
  readonly expected: number;
  readonly words: string;
}

/** Returns the largest numbers of A and of B, as multiples of the smallest. */
const largest = ({ sides: [left, right] }: InspectionSession) =>
  [left, right].map(({ format }) => format.maxFinite / format.minSubnormal);

/** True if results hold the sum one above a number. */
const holdsBeyond = (session: InspectionSession, limit: number): boolean =>
  session.result.round((limit + 1) * unitOf(session)) === (limit + 1) * unitOf(session);

/** Returns the number of terms that {@link beyond} needs. */
function termsBeyond(session: InspectionSession, limit: number): number {
  const [left, right] = largest(session);
  const terms = Math.floor((limit + 1) / (left * right)) + 2;
  return holdsBeyond(session, limit) ? terms : 2 * terms;
}

/** Makes the sum one above a number. Where results do not hold it, the number is subtracted again. */
function beyond(session: InspectionSession, limit: number): Asked {
  const total = limit + 1;
  const up = termsOf(session, total, 1);
  if (holdsBeyond(session, limit)) return { dot: up, expected: total, words: `${total}` };
  const down = termsOf(session, limit, -1);
  const both: DotProduct = { a: up.a.concat(down.a), b: up.b.concat(down.b) };
  return { dot: both, expected: 1, words: `${total} − ${limit}` };
}

/** Writes a whole number as a sum of products, most of them the largest. */
function termsOf(session: InspectionSession, whole: number, sign: 1 | -1) {
  const [left, right] = largest(session);
  const [x, y] = session.sides.map(({ format }) => format.minSubnormal);
  const isA = isSigned(session.sides[0]);
  const many = Math.floor(whole / (left * right));
  const rest = whole - many * left * right;
  const products = Array<[number, number]>(many).fill([left, right]);
  products.push([Math.floor(rest / right), right], [1, rest % right]);
  return {
    a: products.map(([p]) => p * x * (isA ? sign : 1)),
    b: products.map(([, q]) => q * y * (isA ? 1 : sign)),
  };
}

/** Returns the number that all products of elements are multiples of. */
const unitOf = ({ sides }: InspectionSession): number =>
  sides.reduce((unit, { format }) => unit * format.minSubnormal, 1);

function becomes(found: number, { expected }: Asked, limit: number): string {
  if (found === limit - 1 || found === limit) return found === limit ? 'they are rounded' : 'they saturate';
  if (found === expected - 2 * limit) return 'they wrap around';
  return Math.abs(found - expected) <= limit * 2 ** -4 ? 'they are rounded' : 'they are wrong';
}
