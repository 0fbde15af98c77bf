import { formatCase } from '../gate/case.ts';
import { fitSeries } from '../gate/growth-series.ts';
import type { CaseResult, Results, Verdict } from '../gate/results.ts';
import type { MeasuredProduct } from './measured-product.ts';
import type { StudyProduct, StudyRecord } from './study.ts';
import { studyCase } from './study-case.ts';
import type { JudgedCell } from './study-cells.ts';

/** The parts of a results file that a study gives. */
type Outcome = Pick<Results, 'verdict' | 'reason' | 'summary' | 'growth' | 'cases'> & {
  readonly study: NonNullable<Results['study']>;
};

/** What an outcome is made of. */
export interface Judged {
  readonly study: StudyRecord;
  readonly cells: readonly JudgedCell[];
  readonly products: readonly StudyProduct[];
  readonly finished: ReadonlyMap<string, MeasuredProduct>;
  /** Why the run ended early; undefined where it did not. */
  readonly stopped: string | undefined;
  /** Seconds that the run took. */
  readonly seconds: number;
  /** The command that repeats a product. */
  replay(product: StudyProduct): string;
}

/** Puts judged cells and finished products together, with the verdict over all. */
export function studyOutcome(judged: Judged): Outcome {
  const { study, cells, products, finished, stopped, seconds, replay } = judged;
  const cases = products.flatMap((product) => {
    const measured = finished.get(formatCase(product.case));
    return measured === undefined ? [] : [studyCase(measured, cells, replay(product))];
  });
  const counts = study.counts();
  const count = (test: (result: CaseResult) => boolean) => cases.filter(test).length;
  return {
    ...overall(cells, cases, counts, stopped),
    summary: {
      planned: products.length,
      run: cases.length,
      pass: count(({ verdict }) => verdict === 'pass'),
      fail: count(({ verdict }) => verdict === 'fail'),
      inconclusive: count(({ verdict }) => verdict === 'inconclusive'),
      mirrored: count(({ mirrorEqual }) => mirrorEqual !== undefined),
      mirrorEqual: count(({ mirrorEqual }) => mirrorEqual === true),
      seconds,
      interrupted: stopped !== undefined,
    },
    growth: fitSeries(cases),
    cases,
    study: {
      name: study.name,
      source: study.source,
      method: study.method,
      cells: cells.map(({ cell }) => cell),
      counts,
    },
  };
}

/**
 * A study fails where a cell departs and nobody knows why, a count differs, or a product is wrong; it passes where every
 * cell is close; else it is inconclusive: an incomplete study is no pass.
 */
function overall(
  cells: readonly JudgedCell[],
  cases: readonly CaseResult[],
  counts: NonNullable<Results['study']>['counts'],
  stopped: string | undefined,
): { verdict: Verdict; reason: string } {
  const of = (status: string) => cells.filter(({ cell }) => cell.status === status).length;
  const share = (count: number) => `${count} of ${cells.length} published cells`;
  const unexplained = cells.filter((one) => one.unexplained);
  const [departing, missing] = [of('departs'), of('not-measured')];
  const unequal = counts.filter(({ equal }) => !equal).length;
  const wrong = cases.find(({ checks }) =>
    checks.some(({ name, status }) => status === 'fail' && name !== 'published'),
  );
  if (wrong !== undefined) return { verdict: 'fail', reason: `${wrong.case}: ${wrong.reason}` };
  if (unequal > 0)
    return { verdict: 'fail', reason: `${unequal} of ${counts.length} published counts differ.` };
  if (unexplained.length > 0) {
    const { figure, row, column } = unexplained[0].cell;
    const more = unexplained.length > 1 ? ' and others' : '';
    return {
      verdict: 'fail',
      reason: `${share(unexplained.length)} depart without a known reason: ${figure}, ${row}, ${column}${more}.`,
    };
  }
  if (missing > 0) {
    const why = stopped ?? 'an incomplete study is no pass.';
    return { verdict: 'inconclusive', reason: `${share(missing)} were not measured: ${why}` };
  }
  if (departing > 0) {
    return { verdict: 'inconclusive', reason: `${share(departing)} depart, each for a known reason.` };
  }
  return { verdict: 'pass', reason: `All ${cells.length} published cells come out close.` };
}
