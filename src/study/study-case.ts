import { formatCase } from '../gate/case.ts';
import { type CaseResult, type CheckResult, fromReal } from '../gate/results.ts';
import type { MeasuredProduct } from './measured-product.ts';
import type { JudgedCell } from './study-cells.ts';

/** A finished product as a case of a results file, judged by the cells that it serves. */
export function studyCase(
  measured: MeasuredProduct,
  cells: readonly JudgedCell[],
  replay: string,
): CaseResult {
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
  const used = fromReal(runningBound.used);
  const holds = used <= 1;
  const message = `The worst error is ${used.toPrecision(3)} of its running bound${holds ? '' : ': that proves a defect'}.`;
  const status = holds ? (runningBound.vacuous ? 'vacuous' : 'pass') : 'fail';
  return [{ name: 'running-bound', status, message, found: runningBound.used, allowed: 1 }];
}

/** Whether the cells that a product serves are as published. */
function asPublished(served: readonly JudgedCell[]): CheckResult {
  const name = 'published';
  const measured = served.filter(({ cell }) => cell.status !== 'not-measured');
  if (measured.length === 0) {
    const why = served.at(0)?.cell.note ?? '';
    return { name, status: 'inconclusive', message: `No published cell is measured with it. ${why}`.trim() };
  }
  const far = ({ cell: { ratio = 1 } }: JudgedCell) => Math.abs(Math.log(fromReal(ratio)));
  const worst = (some: readonly JudgedCell[]) =>
    some.reduce((most, one) => (far(one) > far(most) ? one : most));
  const departing = measured.filter(({ cell }) => cell.status === 'departs');
  const unexplained = departing.filter((one) => one.unexplained);
  const shown = worst([unexplained, departing, measured].find((some) => some.length > 0) ?? measured);
  const { cell, allowed } = shown;
  const status = unexplained.length > 0 ? 'fail' : departing.length > 0 ? 'inconclusive' : 'pass';
  const message =
    status === 'pass'
      ? `All ${measured.length} published cells that it serves come out close.`
      : `${cell.figure}, ${cell.row}, ${cell.column}: ${cell.note}`;
  return { name, status, message, ...(cell.ratio === undefined ? {} : { found: cell.ratio }), allowed };
}
