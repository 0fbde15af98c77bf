import { fromJsonNumber, toJsonNumber } from '../base/numbers.ts';
import { lookUp } from '../base/objects.ts';
import { formatCase } from '../problem/case.ts';
import { formatCount } from '../report/numbers.ts';
import type { StudyCell } from '../run/results.ts';
import type { MeasuredProduct } from './measured-product.ts';
import { type CellPlan, cellKey, type ErrorStudy } from './study.ts';

export interface CellFindings {
  readonly finished: ReadonlyMap<string, MeasuredProduct>;
  /** Returns the reason why a product was not measured, in a sentence. */
  whyNot(product: CellPlan['products'][number]): string;
  /** Divisor of sizes. If it is not 1, no cell is judged. */
  readonly shrink: number;
}

/** A judged cell, with facts that a results file does not hold. */
export interface JudgedCell {
  readonly plan: CellPlan;
  readonly cell: StudyCell;
  /** True if it departs for an unknown reason. */
  readonly unexplained: boolean;
  readonly allowed: number;
}

/** Judges a cell by the measurements of its products. */
export function judgeCellPlan(plan: CellPlan, study: ErrorStudy, findings: CellFindings): JudgedCell {
  const { figure, title, row, column, published, misprint, products } = plan;
  const [{ case: value }] = products;
  const about = {
    figure,
    title,
    row,
    column,
    published,
    ...(products.length === 1 ? { case: formatCase(value) } : {}),
  };
  const measured = measuredOf(plan, findings);
  const unjudged = (cell: Pick<StudyCell, 'measured' | 'note'>): JudgedCell => ({
    ...{ plan, unexplained: false, allowed: 1 },
    cell: { ...about, status: 'not-measured', ...cell },
  });
  if (typeof measured === 'string') return unjudged({ note: measured });
  if (findings.shrink !== 1) {
    const note = `Measured at n = ${value.problem.n}, which has no published value.`;
    return unjudged({ measured: toJsonNumber(measured), note });
  }
  const levels = Math.max(...products.map(({ case: value }) => value.method.levels));
  const { close, says, allowed } = judgeCell(measured, misprint?.meant ?? published, levels);
  const reason = close ? undefined : lookUp(study.reasons, cellKey(plan));
  const note = [misprint?.note, fewerPairs(plan, study), close ? undefined : says, reason]
    .filter((part) => part !== undefined)
    .join(' ');
  const status = close ? 'close' : 'departs';
  const found = {
    measured: toJsonNumber(measured),
    ratio: toJsonNumber(measured / published),
    status,
  } as const;
  return {
    plan,
    cell: { ...about, ...found, ...(note === '' ? {} : { note }) },
    unexplained: !close && reason === undefined,
    allowed,
  };
}

/** Returns the number of the cell, or the reason why there is none. */
function measuredOf({ products, reading }: CellPlan, findings: CellFindings): number | string {
  const found = products.map(({ case: value }) => findings.finished.get(formatCase(value)));
  const missing = products.filter((_, at) => found[at] === undefined);
  if (missing.length > 0) {
    const share =
      products.length === 1 ? '' : `${missing.length} of ${products.length} products are missing. `;
    return share + findings.whyNot(missing[0]);
  }
  const readings = found.flatMap((one) => (one === undefined ? [] : [fromJsonNumber(one.readings[reading])]));
  return reading === 'max'
    ? Math.max(...readings)
    : readings.reduce((sum, x) => sum + x, 0) / readings.length;
}

function fewerPairs({ products }: CellPlan, { pairs = 1 }: ErrorStudy): string | undefined {
  if (products[0].case.problem.input !== 'uniform' || products.length === pairs) return undefined;
  return `Over ${formatCount(products.length, 'random pair')}; the paper used ${pairs}.`;
}

/** The relation of a measured number to a published one. */
export interface CellJudgment {
  readonly close: boolean;
  /** The difference in words, where it is not close. */
  readonly says: string;
  /** The largest ratio, or reciprocal of a ratio, that is close. */
  readonly allowed: number;
}

/**
 * Most levels at which errors agree closely with the published ones. In deeper recursion, other roundings at the start grow into other
 * errors.
 */
const SHALLOW = 2;
const NEAR = { least: 0.85, most: 1.15, words: 'within 15 %' };
const FAR = { least: 1 / 2, most: 2, words: 'within a factor of 2' };

/**
 * Judges a number by a published one: 15 % either way up to two levels of recursion, a factor of 2 beyond. The limits start from the ends
 * of the interval that rounds to the published two digits.
 */
export function judgeCell(measured: number, printed: number, levels: number): CellJudgment {
  const { least, most, words } = levels <= SHALLOW ? NEAR : FAR;
  const [low, high] = roundedTo(printed);
  return {
    close: measured >= least * low && measured <= most * high,
    says: `It is ${(measured / printed).toPrecision(3)} times the published value. For ${formatCount(levels, 'level')} of recursion, ${words} is close.`,
    allowed: most,
  };
}

/** Returns the interval that rounds to a published number of two digits: 7.9e-5 stands for 7.85e-5 to 7.95e-5. */
export function roundedTo(printed: number): [number, number] {
  const half = 0.5 * 10 ** (Math.floor(Math.log10(printed)) - 1);
  return [printed - half, printed + half];
}
