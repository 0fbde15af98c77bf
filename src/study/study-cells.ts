import { formatCase } from '../gate/case.ts';
import { fromReal, type StudyCell, toReal } from '../gate/results.ts';
import { judgeCell } from './judge-cell.ts';
import type { MeasuredProduct } from './measured-product.ts';
import { type CellPlan, cellKey, type StudyRecord } from './study.ts';

/** What is known when the cells of a study are judged. */
export interface Findings {
  readonly finished: ReadonlyMap<string, MeasuredProduct>;
  /** Why a product was not measured, in a sentence. */
  whyNot(product: CellPlan['products'][number]): string;
  /** What sizes were divided by: if not 1, nothing is judged. */
  readonly shrink: number;
}

/** A judged cell, and what of it a results file does not say. */
export interface JudgedCell {
  readonly plan: CellPlan;
  readonly cell: StudyCell;
  /** Whether it departs and nobody knows why. */
  readonly unexplained: boolean;
  readonly allowed: number;
}

/** Judges a cell by what was measured of its products. */
export function judge(plan: CellPlan, study: StudyRecord, findings: Findings): JudgedCell {
  const { figure, title, row, column, published, misprint, products } = plan;
  const about = {
    figure,
    title,
    row,
    column,
    published,
    ...(products.length === 1 ? { case: formatCase(products[0].case) } : {}),
  };
  const measured = measuredOf(plan, findings);
  if (typeof measured === 'string') {
    return {
      plan,
      cell: { ...about, status: 'not-measured', note: measured },
      unexplained: false,
      allowed: 1,
    };
  }
  const levels = Math.max(...products.map(({ case: value }) => value.levels));
  const { close, says, allowed } = judgeCell(measured, misprint?.meant ?? published, levels);
  const reason = close ? undefined : study.reasons[cellKey(plan)];
  const fewer = fewerPairs(plan, study);
  const note = [misprint?.note, fewer, close ? undefined : says, reason].filter((part) => part !== undefined);
  return {
    plan,
    cell: {
      ...about,
      measured: toReal(measured),
      ratio: toReal(measured / published),
      status: close ? 'close' : 'departs',
      ...(note.length === 0 ? {} : { note: note.join(' ') }),
    },
    unexplained: !close && reason === undefined,
    allowed,
  };
}

/** The number that the cell is about, or why there is none. */
function measuredOf({ products, reading }: CellPlan, findings: Findings): number | string {
  const found = products.map(({ case: value }) => findings.finished.get(formatCase(value)));
  const missing = products.filter((_, at) => found[at] === undefined);
  if (missing.length > 0) {
    const share =
      products.length === 1 ? '' : `${missing.length} of ${products.length} products are missing. `;
    return share + findings.whyNot(missing[0]);
  }
  const readings = found.flatMap((one) => (one === undefined ? [] : [fromReal(one.readings[reading])]));
  const value =
    reading === 'max' ? Math.max(...readings) : readings.reduce((sum, x) => sum + x, 0) / readings.length;
  if (findings.shrink === 1) return value;
  return `At n = ${products[0].case.n}, for which nothing is published, it is ${value.toExponential(2)}.`;
}

function fewerPairs({ products }: CellPlan, { pairs }: StudyRecord): string | undefined {
  if (products[0].case.input !== 'uniform' || products.length === pairs) return undefined;
  return `Over ${products.length} random pairs, where ${pairs} were published.`;
}
