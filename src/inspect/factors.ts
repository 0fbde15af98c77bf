import { exponentOf } from '../base/binary64.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type FactorMethod, type FactorProbe, type FactorTarget, waysFor } from './factor-ways.ts';
import type { InspectionFinding } from './inspection.ts';
import { factorNear, hasSingleUnit, isSigned, type OperandFormat, sharesLines } from './operand-format.ts';
import type { InspectionContext, InspectionQuestion, QuestionAnswer } from './question.ts';
import { factorRange } from './special-factors.ts';

/** Least and most products of one test. Factors that lines share differ between products. */
const PRODUCTS = { least: 3, most: 24 };
/** Number of sums that suffices, if so many products have them. */
const ENOUGH = 48;
/** Lines of a product that are used. */
const LINES = 24;

/** A probe with its result. */
interface ProbeResult extends FactorProbe {
  readonly found: number;
}

/** Computes terms at places of one block. The factors of one level are no powers of two; all others are 1. */
async function probeFactors(
  context: InspectionContext,
  level: number,
  places: readonly number[],
): Promise<ProbeResult[]> {
  const { session, random } = context;
  const { sides } = session;
  const shape = session.home(Math.ceil((Math.max(...places) + 1) / session.stride));
  const isShared =
    sides.some(sharesLines) || sides.some(({ coding }) => (coding?.scales[level]?.lines ?? 1) > 1);
  const all: ProbeResult[] = [];
  for (let product = 0; product < PRODUCTS.most; product++) {
    if (product >= PRODUCTS.least && all.length >= ENOUGH) break;
    const lines = Math.min(LINES, shape.m, shape.n);
    const first = drawFactors(context, level);
    const asked = Array.from({ length: lines }, () => ({
      terms: places.map(() => [drawNumber(sides[0], random), drawNumber(sides[1], random)] as const),
      ...(isShared ? first : drawFactors(context, level)),
    }));
    const made = (of: 'a' | 'b', rows: number, cols: number): Matrix =>
      session.coded(
        of,
        rows,
        cols,
        (line, place) => asked[line]?.terms[places.indexOf(place)]?.[of === 'a' ? 0 : 1] ?? 0,
        (line, _, at) => (at === level ? (asked[line]?.[of === 'a' ? 'fa' : 'fb'] ?? 1) : 1),
      );
    const c = await session.multiply(made('a', shape.m, shape.k), made('b', shape.k, shape.n));
    all.push(...asked.map((probe, q) => ({ ...probe, found: c.data[q * c.cols + q] })));
  }
  return all;
}

/** Draws factors near 1 with all bits of their format; 1 where an operand has none. */
function drawFactors({ session, random }: InspectionContext, level: number): Pick<FactorProbe, 'fa' | 'fb'> {
  const [fa, fb] = session.sides.map(({ coding }) => {
    const scale = coding?.scales[level];
    return scale === undefined ? 1 : factorNear(random.uniform(1, 2) * 2 ** random.int(-2, 2), scale);
  });
  return { fa, fb };
}

/** Draws a number with all bits of the entries, near 1 or, for whole numbers, near the largest. */
function drawNumber(side: OperandFormat, random: InspectionContext['random']): number {
  const { format, isFew } = side;
  const { precision, numbers, minNormal } = format;
  const sign = isSigned(side) ? random.sign() : 1;
  if (!isFew) return sign * format.round(random.uniform(1, 2));
  if (numbers !== undefined) {
    const normal = numbers.filter((x) => x >= minNormal);
    return normal[random.int(0, normal.length - 1)];
  }
  const least = 2 ** (precision - 1);
  const unit = hasSingleUnit(format) ? exponentOf(format.minSubnormal) : 1 - precision;
  return sign * random.int(least, 2 * least - 1) * 2 ** unit;
}

/** Finds where factors of blocks are applied, before or after products are added, and the roundings on the way. */
export const factors: InspectionQuestion = {
  id: 'factors',
  question: 'To what are the factors of blocks applied?',
  // An overflow on the way shows an order, and disproves nothing.
  wrongProducts: 'own',
  async ask(context) {
    const { session } = context;
    const levels = Math.max(...session.sides.map(({ coding }) => coding?.scales.length ?? 0));
    const found: QuestionAnswer[] = [];
    for (let level = 0; level < levels; level++) found.push(...(await atLevel(context, level)));
    return found;
  },
};

/** Returns the id and question of a level. Outer levels have a name of their own. */
const aboutLevel = (level: number): Pick<InspectionFinding, 'id' | 'question'> =>
  level === 0
    ? { id: factors.id, question: factors.question }
    : { id: 'outer-factors', question: 'To what are the factors of larger blocks applied?' };

async function atLevel(context: InspectionContext, level: number): Promise<QuestionAnswer[]> {
  const { session, measures } = context;
  const scales = session.sides.flatMap(({ coding }) => coding?.scales[level] ?? []);
  const about = aboutLevel(level);
  if (scales.every(({ format }) => format.precision === 1)) {
    const answer = await factorRange(context);
    return [{ ...about, ...answer }];
  }
  const known = waysFor(session.sides);
  const { probes, left, wheres, apart } = await fittingWays(context, level, known);
  const evidence = `${probes.length} sums of two products with factors of ${scales[0].format.precision} bits, beside what ${new Set(known.map(({ where, how }) => where + how)).size} ways would give`;
  if (left.length === 0)
    return [unknown(about, 'in no way that is known', `${evidence}: none gives all of them.`)];
  if (wheres.length > 1) {
    const all = wheres.length === new Set(known.map((way) => way.where)).size;
    const words = all
      ? 'nothing is rounded, wherever they are applied'
      : `${wheres.map((where) => WORDS[where]).join(', or ')} give the same`;
    return [
      unknown(about, `cannot be told: ${words}`, `${evidence}: ${wheres.length} kinds give all of them.`),
    ];
  }
  const [where] = wheres;
  if (level === 0) measures.factors = where;
  const isLane = apart > 1;
  const often = isLane ? `, in lanes of every ${apart} terms or fewer` : '';
  const once = where === 'sums' && !isLane ? await howOften(context, level, left) : often;
  return [
    {
      ...about,
      answer: `${WORDS[where]}${roundedHow(left, scales.length)}${once}`,
      value: where,
      confidence: 'measured',
      evidence: `${evidence}: this one alone gives all of them.`,
    },
  ];
}

/** Numbers of lanes whose sums may be kept separately. */
const LANES = [1, 2, 4, 8, 16, 32, 64];

/**
 * Returns the ways that fit two terms of a block. Where factors of each product fit, sums of lanes fit too; then terms of one lane are
 * sought.
 */
async function fittingWays(context: InspectionContext, level: number, known: readonly FactorMethod[]) {
  const { session } = context;
  const { round } = session.result;
  const scales = session.sides.flatMap(({ coding }) => coding?.scales[level] ?? []);
  const length = Math.min(session.home(1).k, ...scales.map(({ entries }) => entries));
  const at = async (apart: number) => {
    const probes = await probeFactors(context, level, [0, apart]);
    const left = known.filter((way) => probes.every((probe) => round(way.value(probe)) === probe.found));
    return { probes, left, wheres: [...new Set(left.map(({ where }) => where))], apart };
  };
  const neighbors = await at(1);
  if (neighbors.wheres.join() !== 'products') return neighbors;
  for (const apart of LANES.slice(1).filter((one) => one < length)) {
    const found = await at(apart);
    if (found.wheres.length === 1 && found.wheres[0] !== 'products') return found;
  }
  return neighbors;
}

const WORDS: Readonly<Record<FactorTarget, string>> = {
  elements: 'to elements, before they are multiplied',
  products: 'to each product, before it is added',
  sums: 'to sums of products, after they are added',
  'elements of A, sums for B': 'those of A to its elements, those of B to sums of products',
  'elements of B, sums for A': 'those of B to its elements, those of A to sums of products',
};

/** Describes the rounding, where one clause alone fits. */
function roundedHow(left: readonly FactorMethod[], operands: number): string {
  const hows = [...new Set(left.map(({ how }) => how))];
  const isOne = hows.length === 1;
  if (left[0].where.startsWith('elements')) return isOne ? `, ${hows[0]}` : '';
  return operands === 2 && isOne ? `, ${hows[0]}` : '';
}

const unknown = (
  about: Pick<InspectionFinding, 'id' | 'question'>,
  answer: string,
  evidence: string,
): QuestionAnswer => ({
  ...about,
  ...{ answer, value: null, confidence: 'unknown', evidence },
});

/** Tests if a factor of a whole line is applied once, or to each of several chunks. Two distant terms are rounded apart or together. */
async function howOften(
  context: InspectionContext,
  level: number,
  left: readonly FactorMethod[],
): Promise<string> {
  const { session } = context;
  const scales = session.sides.flatMap(({ coding }) => coding?.scales[level] ?? []);
  const length = Math.min(...scales.map(({ entries }) => entries));
  if (Number.isFinite(length)) return `, block by block of ${length}`;
  const { k } = session.home(1);
  const { round } = session.result;
  for (let apart = 2; apart < k; apart *= 2) {
    const probes = await probeFactors(context, level, [0, apart]);
    const isTogether = left.some((way) => probes.every((probe) => round(way.value(probe)) === probe.found));
    if (!isTogether) return `, in chunks of ${apart} terms or fewer`;
  }
  return `, once for all of ${k} terms`;
}
