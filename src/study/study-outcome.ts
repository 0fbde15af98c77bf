import { fromJsonNumber } from '../base/numbers.ts';
import type { CaseResult, CheckResult, Verdict } from '../evidence/case-result.ts';
import { formatCase } from '../problem/case.ts';
import { formatCountOfAll, inflectVerb } from '../report/numbers.ts';
import { fitSeries } from '../run/growth-series.ts';
import type { Results } from '../run/results.ts';
import type { JudgedNumber } from './computed-cells.ts';
import type { JudgedCell } from './judged-cells.ts';
import type { MeasuredProduct } from './measured-product.ts';
import type { ErrorStudy, Study, StudyProduct } from './study.ts';

/** The parts of a results file that a study fills. */
type Outcome = Pick<Results, 'verdict' | 'reason' | 'summary' | 'growth' | 'cases'> & {
  readonly study: NonNullable<Results['study']>;
};

export interface StudyOutcomeInput {
  readonly study: Pick<Study, 'name' | 'source'>;
  readonly errors: ErrorStudy;
  readonly cells: readonly JudgedCell[];
  /** Numbers that needed no device. @defaultValue none */
  readonly computed?: readonly JudgedNumber[];
  readonly products: readonly StudyProduct[];
  readonly finished: ReadonlyMap<string, MeasuredProduct>;
  /** The reason why the run ended early; undefined where it did not. */
  readonly stopped: string | undefined;
  /** Duration of the run in seconds. */
  readonly seconds: number;
  /** Returns the command that repeats a product. */
  replay(product: StudyProduct): string;
}

/** Combines judged cells and finished products, with the verdict over all. */
export function decideStudyOutcome(judged: StudyOutcomeInput): Outcome {
  const { study, errors, cells, computed = [], products, finished, stopped, seconds, replay } = judged;
  const cases = products.flatMap((product) => {
    const measured = finished.get(formatCase(product.case));
    return measured === undefined ? [] : [studyCase(measured, cells, replay(product))];
  });
  const counts = errors.counts?.() ?? [];
  const all: readonly JudgedNumber[] = [...cells, ...computed];
  const count = (test: (result: CaseResult) => boolean) => cases.filter(test).length;
  return {
    ...overall(all, cases, counts, stopped),
    summary: {
      planned: products.length,
      run: cases.length,
      pass: count(({ verdict }) => verdict === 'pass'),
      fail: count(({ verdict }) => verdict === 'fail'),
      inconclusive: count(({ verdict }) => verdict === 'inconclusive'),
      comparedWithModel: count(({ equalsModel }) => equalsModel !== undefined),
      equalToModel: count(({ equalsModel }) => equalsModel === true),
      seconds,
      interrupted: stopped !== undefined,
    },
    growth: fitSeries(cases),
    cases,
    study: {
      name: study.name,
      source: study.source,
      method: errors.notes.join(' '),
      cells: all.map(({ cell }) => cell),
      counts,
    },
  };
}

/**
 * Returns the verdict of a study. It fails if a cell departs for an unknown reason, a count differs, or a product is wrong. It passes if
 * every cell is close. Otherwise it is inconclusive: an incomplete study is no pass.
 */
function overall(
  cells: readonly JudgedNumber[],
  cases: readonly CaseResult[],
  counts: NonNullable<Results['study']>['counts'],
  stopped: string | undefined,
): { verdict: Verdict; reason: string } {
  const of = (status: string) => cells.filter(({ cell }) => cell.status === status).length;
  const share = (count: number) => formatCountOfAll(count, cells.length, 'published cell');
  const unexplained = cells.filter((one) => one.unexplained);
  const chance = cells.filter(({ byChance }) => byChance).length;
  const [departing, missing] = [of('departs') - chance, of('not-measured')];
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
      reason: `${share(unexplained.length)} ${inflectVerb(unexplained.length, 'depart')} without a known reason: ${figure}, ${row}, ${column}${more}.`,
    };
  }
  const shrunk = cells.filter(({ cell }) => cell.status === 'not-measured' && cell.measured !== undefined);
  const compared =
    shrunk.length === 0
      ? ''
      : `${share(shrunk.length)} ${shrunk.length === 1 ? 'was' : 'were'} measured at a smaller size and not compared. `;
  if (missing > shrunk.length) {
    const left = missing - shrunk.length;
    const why = stopped ?? 'an incomplete study cannot pass.';
    return {
      verdict: 'inconclusive',
      reason: `${compared}${share(left)} ${left === 1 ? 'was' : 'were'} not measured: ${why}`,
    };
  }
  if (missing > 0) return { verdict: 'inconclusive', reason: compared };
  if (departing > 0) {
    return {
      verdict: 'inconclusive',
      reason: `${share(departing)} ${inflectVerb(departing, 'depart')}, each for a known reason.`,
    };
  }
  const but = chance === 0 ? '' : `, except ${chance} that chance puts outside`;
  return { verdict: 'pass', reason: `All ${cells.length} published cells are close${but}.` };
}

/** Converts a finished product to a case of a results file, judged by the cells that it serves. */
function studyCase(measured: MeasuredProduct, cells: readonly JudgedCell[], replay: string): CaseResult {
  const served = cells.filter(({ plan }) =>
    plan.products.some(({ case: value }) => formatCase(value) === measured.facts.case),
  );
  const checks = [complete(measured), ...boundCheck(measured), asPublished(served)];
  const failed = checks.find(({ status }) => status === 'fail');
  const decisive = failed ?? checks[checks.length - 1];
  const verdict = decisive.status === 'pass' || decisive.status === 'fail' ? decisive.status : 'inconclusive';
  return { ...measured.facts, verdict, reason: decisive.message, replay, checks };
}

function complete({ unwritten }: MeasuredProduct): CheckResult {
  const message =
    unwritten === 0 ? 'Every entry was written.' : `${unwritten} entries of C were never written.`;
  return {
    name: 'complete',
    status: unwritten === 0 ? 'pass' : 'fail',
    message,
    found: unwritten,
    allowed: 0,
  };
}

function boundCheck({ facts: { runningBound } }: MeasuredProduct): CheckResult[] {
  if (runningBound === undefined) return [];
  const used = fromJsonNumber(runningBound.used);
  const holds = used <= 1;
  const message = `The worst error is ${used.toPrecision(3)} of its running bound${holds ? '' : ', which proves a defect'}.`;
  const status = holds ? (runningBound.vacuous ? 'vacuous' : 'pass') : 'fail';
  return [{ name: 'running-bound', status, message, found: runningBound.used, allowed: 1 }];
}

/** Checks that the cells of a product are as published. */
function asPublished(served: readonly JudgedCell[]): CheckResult {
  const name = 'published';
  const measured = served.filter(({ cell }) => cell.status !== 'not-measured');
  if (measured.length === 0) {
    const why = served.at(0)?.cell.note ?? '';
    return { name, status: 'inconclusive', message: `It measures no published cell. ${why}`.trim() };
  }
  const far = ({ cell: { ratio = 1 } }: JudgedCell) => Math.abs(Math.log(fromJsonNumber(ratio)));
  const worst = (some: readonly JudgedCell[]) =>
    some.reduce((most, one) => (far(one) > far(most) ? one : most));
  const departing = measured.filter(({ cell }) => cell.status === 'departs');
  const unexplained = departing.filter((one) => one.unexplained);
  const shown = worst([unexplained, departing, measured].find((some) => some.length > 0) ?? measured);
  const { cell, allowed } = shown;
  const status = unexplained.length > 0 ? 'fail' : departing.length > 0 ? 'inconclusive' : 'pass';
  const message =
    status === 'pass'
      ? `All ${measured.length} published cells of this product are close.`
      : `${cell.figure}, ${cell.row}, ${cell.column}: ${cell.note}`;
  return { name, status, message, ...(cell.ratio === undefined ? {} : { found: cell.ratio }), allowed };
}
