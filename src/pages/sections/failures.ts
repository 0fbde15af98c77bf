import type { CaseResult } from '../../evidence/case-result.ts';
import { formatMagnitude, formatShort } from '../../report/numbers.ts';
import { columnsOf, type Table } from '../../report/table.ts';
import { decisiveChecks, type GroupView } from '../failure.ts';
import { groupByReason } from '../summary.ts';

const MOST_CHECKS = 5;

/** Tabulates the smallest failure of each group: shared facts, found and allowed values, the reason, and the replay command. */
export function failureTable(groups: readonly GroupView[]): Table {
  const rows = groups.map(({ headline, example, smaller }) => [
    ...(isGrouped(groups) ? [headline ?? ''] : []),
    example.case,
    checksInWords(example),
    example.reason,
    smaller?.replay ?? example.replay,
  ]);
  const columns = [
    ...(isGrouped(groups) ? columnsOf('text', 'failure') : []),
    ...columnsOf('code', isGrouped(groups) ? 'smallest case' : 'case'),
    ...columnsOf('text', 'found', 'why'),
    ...columnsOf('code', 'replay'),
  ];
  const failing = groups.reduce((sum, { more }) => sum + more + 1, 0);
  return { title: `${failing} ${failing === 1 ? 'case' : 'cases'} failed`, columns, rows };
}

/** Describes the values that failed checks of a case found and allow. */
export const checksInWords = (result: CaseResult): string =>
  decisiveChecks(result)
    .filter(({ status }) => status === 'fail')
    .slice(0, MOST_CHECKS)
    .map(({ name, found, allowed }) => `${name}: ${formatMagnitude(found)}, allowed ${formatShort(allowed)}`)
    .join('; ');

const isGrouped = (groups: readonly GroupView[]) => groups.some(({ headline }) => headline !== undefined);

/** Tabulates the reasons why cases are inconclusive, the most frequent first, with the replay command of an example. */
export function inconclusiveTable(cases: readonly CaseResult[]): Table {
  const undecided = cases.filter(({ verdict }) => verdict === 'inconclusive');
  const rows = groupByReason(undecided).map(({ reason, count, example }) => [
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
