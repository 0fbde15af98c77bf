import { exponentOf } from '../base/binary64.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { FactorProbe } from './factor-ways.ts';
import { factorNear, hasSingleUnit, isSigned, type OperandFormat, sharesLines } from './operand-format.ts';
import type { InspectionContext } from './question.ts';

/** Least and most products of one test. Factors that lines share differ between products. */
const PRODUCTS = { least: 3, most: 24 };
/** Number of sums that suffices, if so many products have them. */
const ENOUGH = 48;
/** Lines of a product that are used. */
const LINES = 24;

/** A probe with its result. */
export interface ProbeResult extends FactorProbe {
  readonly found: number;
}

/** Computes terms at places of one block. The factors of one level are no powers of two; all others are 1. */
export async function probeFactors(
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
