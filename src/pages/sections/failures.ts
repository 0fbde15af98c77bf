import type { CaseResult } from '../../evidence/case-result.ts';
import { short } from '../../report/numbers.ts';
import { columnsOf, type Table } from '../../report/table.ts';
import { telling } from '../failure.ts';
import { byReason } from '../summary.ts';

const MOST_CHECKS = 5;

/** The failing cases: what was found and allowed, why that is a failure, and how to repeat it. */
export function failureTable(failing: readonly CaseResult[]): Table {
  const rows = failing.map((result) => [
    result.case,
    telling(result)
      .filter(({ status }) => status === 'fail')
      .slice(0, MOST_CHECKS)
      .map(({ name, found, allowed }) => `${name}: ${short(found)}, allowed ${short(allowed)}`)
      .join('; '),
    result.reason,
    result.replay,
  ]);
  const columns = [
    ...columnsOf('code', 'case'),
    ...columnsOf('text', 'found', 'why'),
    ...columnsOf('code', 'replay'),
  ];
  return { title: `${failing.length} ${failing.length === 1 ? 'case' : 'cases'} failed`, columns, rows };
}

/** Why cases are inconclusive, the most frequent reason first, with how to repeat one of each. */
export function inconclusiveTable(cases: readonly CaseResult[]): Table {
  const undecided = cases.filter(({ verdict }) => verdict === 'inconclusive');
  const rows = byReason(undecided).map(({ reason, count, example }) => [
    String(count),
    reason,
    example.replay,
  ]);
  const columns = [
    ...columnsOf('number', 'cases'),
    ...columnsOf('text', 'why'),
    ...columnsOf('code', 'replay one'),
  ];
  const title = `${undecided.length} ${undecided.length === 1 ? 'case' : 'cases'} inconclusive`;
  return { title, columns, rows };
}
