import type { CodedFormat, Format } from '../precision/format.ts';
import { formatCount } from '../report/numbers.ts';
import type { InspectionFinding } from './inspection.ts';
import { hasSingleUnit, type OperandFormat } from './operand-format.ts';
import type { InspectionContext, InspectionQuestion } from './question.ts';
import type { InspectionSession } from './session.ts';
import { formatPowers } from './terms.ts';

/** An element, and its product with 1 as the kernel computed it. */
interface Told {
  readonly x: number;
  readonly found: number;
}

/** Test of the value of every element of few bits. Each stands alone in its sum, times 1. */
export const elements: InspectionQuestion = {
  id: 'elements',
  question: 'Is every element multiplied as its format says?',
  // A product with NaN is not compared.
  wrongProducts: 'own',
  async ask({ session, measures }: InspectionContext) {
    const few = session.sides.filter(({ isFew }) => isFew);
    const told: Known[] = [];
    for (const side of few)
      told.push({ side, all: await timesOne(session, side), round: session.result.round });
    if (told.length === session.sides.length) measures.operandBits = Math.min(...told.map(bitsThrough));
    const kept = told.flatMap((one) => subnormals(one));
    if (kept.length > 0) measures.flushesOperands = kept.some(({ value }) => value === false);
    return [told.map(numbers), kept, told.flatMap(specials)].flatMap(forBoth);
  },
};

/** The results for the elements of one operand. */
interface Known {
  readonly side: OperandFormat;
  readonly all: readonly Told[];
  /** The rounding of results. */
  readonly round: (x: number) => number;
}

type Said = Omit<InspectionFinding, 'question'> & {
  readonly of: string;
  readonly question: (of: string) => string;
};

/** Merges equal findings for A and B. */
function forBoth(said: readonly Said[]): InspectionFinding[] {
  const [first, second] = said;
  const alike = second !== undefined && first.answer === second.answer && first.evidence === second.evidence;
  const shown = alike ? [{ ...first, of: 'A and B' }] : said;
  return shown.map(({ of, question, id, ...rest }) => ({
    ...rest,
    id: shown.length > 1 ? `${id}-${of.toLowerCase()}` : id,
    question: question(of),
  }));
}

/** Multiplies every number of an operand's format by 1, each in a line of its own. */
async function timesOne(session: InspectionSession, side: OperandFormat): Promise<Told[]> {
  const numbers = numbersOf(side);
  const { m, k, n } = session.home(1);
  const lines = side.of === 'a' ? m : n;
  const told: Told[] = [];
  for (let from = 0; from < numbers.length; from += lines) {
    const some = numbers.slice(from, from + lines);
    const own = (line: number, place: number) => (place === 0 ? (some[line] ?? 0) : 0);
    const one = (_: number, place: number) => (place === 0 ? 1 : 0);
    const [a, b] = [
      session.coded('a', m, k, side.of === 'a' ? own : one),
      session.coded('b', k, n, side.of === 'b' ? own : one),
    ];
    const { data } = await session.multiply(a, b);
    for (const [line, x] of some.entries()) told.push({ x, found: data[side.of === 'a' ? line * n : line] });
  }
  return told;
}

/** Returns all numbers of a format minus its zero point, one for each bit pattern. */
function numbersOf({ coding, format, zero }: OperandFormat): number[] {
  const { code } = (coding?.element ?? format) as CodedFormat;
  return Array.from({ length: 2 ** code.bits }, (_, pattern) => code.decode(pattern) - zero);
}

const isRight = ({ x, found }: Told, { round }: Known) =>
  Number.isNaN(x) ? Number.isNaN(found) : found + 0 === round(x) + 0;

const isSubnormal = (x: number, format: Format) =>
  !hasSingleUnit(format) && x !== 0 && Math.abs(x) < format.minNormal;

/** Returns the largest number of bits for which all normal numbers are exact. */
function bitsThrough({ side, all, round }: Known): number {
  const { format } = side;
  const lost = all
    .filter(({ x }) => Number.isFinite(x) && x !== 0 && !isSubnormal(x, format))
    .filter((one) => !isRight(one, { side, all, round }))
    .map(({ x }) => significant(x));
  return lost.length === 0 ? format.precision : Math.min(...lost) - 1;
}

/** Returns the number of significant bits of a number. */
function significant(x: number): number {
  let odd = Math.abs(x);
  while (odd % 1 !== 0) odd *= 2;
  while (odd % 2 === 0) odd /= 2;
  return Math.floor(Math.log2(odd)) + 1;
}

const formatOf = ({ coding, format }: OperandFormat): string => (coding?.element ?? format).name;

const about = ({ of }: OperandFormat): string => of.toUpperCase();

const shownAs = ({ x, found }: Told): string => `${formatPowers(x)} gave ${formatPowers(found)}`;

const firstFew = (wrong: readonly Told[]): string =>
  `${wrong.slice(0, 3).map(shownAs).join(', ')}${wrong.length > 3 ? `; ${wrong.length - 3} more` : ''}`;

/** Returns the findings on zeros and normal numbers. */
function numbers(known: Known): Said {
  const { side, all } = known;
  const asked = all.filter(({ x }) => Number.isFinite(x) && !isSubnormal(x, side.format));
  const wrong = asked.filter((one) => !isRight(one, known));
  const bits = bitsThrough(known);
  return {
    ...{ id: 'elements', of: about(side) },
    question: (of) => `Is every element of ${of} multiplied as its format says?`,
    answer:
      wrong.length === 0
        ? `yes: all ${asked.length} numbers of ${formatOf(side)}`
        : `no: ${wrong.length} of ${asked.length} become other numbers`,
    value: wrong.length === 0 || bits >= side.format.precision ? wrong.length === 0 : bits,
    confidence: wrong.length === 0 ? 'measured' : 'proved',
    evidence: `Each of the ${asked.length} patterns of a zero or a normal number times 1${wrong.length === 0 ? '' : `: ${firstFew(wrong)}`}.`,
  };
}

/** Returns the finding on subnormal numbers; none where the format has none. */
function subnormals(known: Known): Said[] {
  const { side, all } = known;
  const asked = all.filter(({ x }) => isSubnormal(x, side.format));
  if (asked.length === 0) return [];
  const wrong = asked.filter((one) => !isRight(one, known));
  const isKept = wrong.length === 0;
  const isFlushed = asked.every(({ found }) => found === 0);
  return [
    {
      ...{ id: 'subnormal-operands', of: about(side), value: isKept, confidence: 'measured' },
      question: (of) => `Are subnormal elements of ${of} kept?`,
      answer: isKept ? 'kept' : isFlushed ? 'flushed to zero' : 'some are lost',
      evidence: `${asked.length} of them times 1${isKept ? '' : `: ${firstFew(wrong)}`}.`,
    },
  ];
}

/** Returns the finding on NaN and infinities; none where the format has neither. */
function specials(known: Known): Said[] {
  const { side, all } = known;
  const asked = all.filter(({ x }) => !Number.isFinite(x));
  if (asked.length === 0) return [];
  const wrong = asked.filter((one) => !isRight(one, known));
  const names = asked.some(({ x }) => Number.isNaN(x) === false) ? 'NaN and infinities' : 'NaN';
  return [
    {
      ...{ id: 'special-elements', of: about(side), value: wrong.length === 0 },
      question: (of) => `Do the ${names} of ${of} come out?`,
      answer: wrong.length === 0 ? 'yes' : `no: ${firstFew(wrong)}`,
      confidence: wrong.length === 0 ? 'measured' : 'proved',
      evidence: `${formatCount(asked.length, 'pattern')} of them, each times 1.`,
    },
  ];
}
