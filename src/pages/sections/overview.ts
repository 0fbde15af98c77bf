import { toOneLine } from '../../base/printable.ts';
import { fromJsonNumber } from '../../base/real.ts';
import { formatDuration, formatMagnitude, formatShort, type MeasuredNumber } from '../../report/numbers.ts';
import {
  type Column,
  columnsOf,
  type Table,
  type TableCell,
  type Tone,
  tonedCell,
} from '../../report/table.ts';
import type { OverviewRow } from '../overview.ts';
import { markOf } from '../standing.ts';

/** Longest name of a kernel in full. */
const LONGEST_NAME = 32;

interface Told {
  readonly column: Column;
  readonly cell: (row: OverviewRow) => TableCell | undefined;
}

const told = (column: Column, cell: Told['cell']): Told => ({ column, cell });

const COLUMNS: readonly Told[] = [
  told(columnsOf('text', '')[0], (row) => tonedCell(signOf(row), toneOf(row))),
  told(columnsOf('text', 'kernel')[0], (row) => tonedCell(toOneLine(row.name, LONGEST_NAME), toneOf(row))),
  told(columnsOf('number', 'cases')[0], (row) => tonedCell(casesOf(row), toneOf(row))),
  told(columnsOf('number', 'sigmas')[0], ({ sigmas }) =>
    sigmas === undefined ? undefined : formatMagnitude(sigmas),
  ),
  told(columnsOf('number', 'baseline')[0], ({ sinceBaseline }) => changeInWords(sinceBaseline)),
  told(columnsOf('number', 'grade')[0], ({ grade }) => grade),
  told(columnsOf('number', 'time')[0], ({ seconds }) =>
    seconds === undefined ? undefined : formatDuration(seconds),
  ),
];

/** Tabulates each kernel: its cases, worst error, change since the baseline, grade and time. Columns without values are left out. */
export function overviewTable(rows: readonly OverviewRow[]): Table {
  const shown = COLUMNS.filter(({ cell }) => rows.some((row) => cell(row) !== undefined));
  return {
    title: '',
    columns: shown.map(({ column }) => column),
    rows: rows.map((row) => shown.map(({ cell }) => cell(row) ?? '–')),
  };
}

const standing = ({ fail, disproved, inconclusive }: OverviewRow) =>
  fail > 0 || disproved ? 'fail' : inconclusive > 0 ? 'inconclusive' : 'pass';

const signOf = (row: OverviewRow): string => markOf(standing(row)).value.split(' ')[0];

function toneOf(row: OverviewRow): Tone | undefined {
  const is = standing(row);
  return is === 'pass' ? undefined : markOf(is).tone;
}

function casesOf({ cases, fail, inconclusive, waived, disproved }: OverviewRow): string {
  const [open, all] = [`${inconclusive} inconclusive`, `of ${cases}`];
  const counts =
    fail > 0
      ? [`${fail} ${all} fail`, ...(inconclusive > 0 ? [open] : [])]
      : [inconclusive > 0 ? `${inconclusive} ${all} inconclusive` : `${cases - waived} pass`];
  return [
    ...counts,
    ...(waived > 0 ? [`${waived} waived`] : []),
    ...(disproved && fail === 0 ? ['inspection fails'] : []),
  ].join(', ');
}

/** Describes a mean error in units of the baseline's. */
function changeInWords(ratio: MeasuredNumber): string | undefined {
  if (ratio === undefined) return undefined;
  return fromJsonNumber(ratio) === 1
    ? 'same'
    : `${fromJsonNumber(ratio) < 1000 ? formatShort(ratio) : formatMagnitude(ratio)} ×`;
}
