import type { CaseResult } from '../../evidence/case-result.ts';
import { magnitude, short } from '../../report/numbers.ts';
import { columnsOf, type Table } from '../../report/table.ts';
import { telling } from '../failure.ts';
import type { ShownGroup } from '../failure-groups.ts';
import { byReason } from '../summary.ts';

const MOST_CHECKS = 5;

/** The failures, the smallest of each group: what they share, what was found and allowed, why that fails, how to repeat it. */
export function failureTable(groups: readonly ShownGroup[]): Table {
  const rows = groups.map(({ headline, example, smaller }) => [
    ...(isGrouped(groups) ? [headline ?? ''] : []),
    example.case,
    checksInWords(example),
    example.reason,
    smaller?.replay ?? example.replay,
  ]);
  const columns = [
    ...(isGrouped(groups) ? columnsOf('text', 'what fails') : []),
    ...columnsOf('code', isGrouped(groups) ? 'smallest case' : 'case'),
    ...columnsOf('text', 'found', 'why'),
    ...columnsOf('code', 'replay'),
  ];
  const failing = groups.reduce((sum, { more }) => sum + more + 1, 0);
  return { title: `${failing} ${failing === 1 ? 'case' : 'cases'} failed`, columns, rows };
}

/** What the checks of a case found that fail it, and what they allow. */
export const checksInWords = (result: CaseResult): string =>
  telling(result)
    .filter(({ status }) => status === 'fail')
    .slice(0, MOST_CHECKS)
    .map(({ name, found, allowed }) => `${name}: ${magnitude(found)}, allowed ${short(allowed)}`)
    .join('; ');

const isGrouped = (groups: readonly ShownGroup[]) => groups.some(({ headline }) => headline !== undefined);

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
