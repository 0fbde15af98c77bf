import type { CaseResult } from '../../evidence/case-result.ts';
import { formatCount, formatShort } from '../../report/numbers.ts';
import { columnsOf, countCell, type Table, tallyCell } from '../../report/table.ts';
import { caseInWords } from '../case-words.ts';
import type { BitsComparison, DifferenceRange, DifferingCase, KernelBits } from '../compare-bits.ts';

/** Meaning of the ranges of differences, as a sentence for readers. */
const RANGE = 'Worst difference: the largest of any entry, bounded by the errors of both products.';

/** Tabulates the comparison of two runs' bits; tables without rows are left out. */
export const bitsTables = ({ kernels, ...found }: BitsComparison): Table[] =>
  [
    countsTable(kernels),
    groupsTable(found.groups),
    differingTable(found.differing),
    casesTable('with other operands: their products cannot be compared', found.otherOperands),
    casesTable('with a product in one run alone', found.oneProduct),
    ordersTable(found.orders),
  ].filter(({ rows }) => rows.length > 0);

function countsTable(kernels: readonly KernelBits[]): Table {
  const headings = [
    ...['identical', 'differing', 'other operands', 'one product', 'no digest'],
    ...['only before', 'only after'],
  ];
  const rows = kernels.map(({ kernel, counts, onlyBefore, onlyAfter }) => [
    ...[kernel, countCell(counts.identical), tallyCell(counts.differing, 'bad')],
    ...[tallyCell(counts['other operands'], 'unsure'), tallyCell(counts['one product'], 'bad')],
    ...[counts['no digest'], onlyBefore, onlyAfter].map((count) => tallyCell(count, 'unsure')),
  ]);
  return {
    title: 'Cases by their bits',
    columns: [...columnsOf('text', 'kernel'), ...columnsOf('number', ...headings)],
    rows,
  };
}

function groupsTable(groups: BitsComparison['groups']): Table {
  const rows = groups.map(({ kernels, says, difference, example }) => [
    ...[kernels.join(', '), says, rangeOf(difference), example],
  ]);
  const columns = [
    ...columnsOf('text', 'kernel', 'differences', 'worst difference'),
    ...columnsOf('code', 'smallest case'),
  ];
  return { title: 'Differing cases by what they share', columns, rows, note: RANGE };
}

function differingTable(differing: readonly DifferingCase[]): Table {
  const rows = differing.map(({ before, after, difference }) => [
    ...[after.kernel, caseInWords(after.case), rangeOf(difference)],
    ...[before, after].map(({ bits }) => bits?.d.slice(0, 8) ?? ''),
  ]);
  const columns = [
    ...columnsOf('text', 'kernel', 'case', 'worst difference'),
    ...columnsOf('code', 'D before', 'D after'),
  ];
  return { title: formatCount(rows.length, 'differing case'), columns, rows };
}

function casesTable(what: string, cases: readonly CaseResult[]): Table {
  const rows = cases.map(({ kernel, case: text }) => [kernel, caseInWords(text)]);
  return {
    title: `${formatCount(rows.length, 'case')} ${what}`,
    columns: columnsOf('text', 'kernel', 'case'),
    rows,
  };
}

function ordersTable(orders: BitsComparison['orders']): Table {
  const rows = orders.map(({ kernel, k, before = '–', after = '–' }) => [
    kernel,
    countCell(k),
    before,
    after,
  ]);
  const columns = [
    ...[...columnsOf('text', 'kernel'), ...columnsOf('number', 'terms')],
    ...columnsOf('text', 'before', 'after'),
  ];
  return { title: 'Order of sums, by inspection', columns, rows };
}

function rangeOf(difference: DifferenceRange | undefined): string {
  if (difference === undefined) return 'unknown';
  const { atLeast, atMost } = difference;
  if (atMost === 0) return '0: signs of zeros, or NaNs';
  return atLeast === 0
    ? `at most ${formatShort(atMost)}`
    : `${formatShort(atLeast)} to ${formatShort(atMost)}`;
}
