import {
  formatDuration,
  formatExponent,
  formatMagnitude,
  formatPercent,
  formatShort,
  type MeasuredNumber,
} from './numbers.ts';

/** The meaning of a cell. Every medium shows it in its own way, and none by color alone. */
export type Tone = 'good' | 'bad' | 'unsure' | 'faint';

interface Shown {
  readonly tone?: Tone | undefined;
  /** An addition to the value, printed smaller or below it. */
  readonly under?: string | undefined;
}

/** A number with its format; three digits unless `digitsCell` states another number. */
export interface NumberCell extends Shown {
  readonly value: MeasuredNumber;
  readonly as: 'count' | 'digits' | 'magnitude' | 'percent' | 'exponent' | 'seconds';
  readonly digits?: number;
}

/** Words with a tone, or with an addition below them. */
export interface TextCell extends Shown {
  readonly value: string;
  readonly as: 'text';
}

/** A cell of a table: plain words, or a value with its format. */
export type TableCell = string | NumberCell | TextCell;

/** A column. Words and codes are aligned left, numbers right. A code, such as a command, is never broken into lines. */
export interface Column {
  readonly heading: string;
  readonly is: 'text' | 'number' | 'code';
}

/** Rows under headings, for any medium. If no column has a heading, the rows are names and values. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly TableCell[])[];
  /** A note on the numbers, a paragraph for each line. */
  readonly note?: string | undefined;
}

/** Makes columns of one kind, by their headings. */
export const columnsOf = (is: Column['is'], ...headings: readonly string[]): Column[] =>
  headings.map((heading) => ({ heading, is }));

/** Makes a table of names and values, without headings; a name without a value is left out. */
export function makeFactsTable(
  title: string,
  pairs: readonly (readonly [string, TableCell | undefined])[],
): Table {
  const rows = pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { title, columns: columnsOf('text', '', ''), rows };
}

/** True if a table is one of names and values. */
export const isFacts = ({ columns }: Table): boolean => columns.every(({ heading }) => heading === '');

/** Makes a cell of a whole number. */
export const countCell = (value: MeasuredNumber, tone?: Tone): NumberCell => ({ value, as: 'count', tone });

/** Makes a cell of a count, with a tone unless it is 0. */
export const tallyCell = (value: number, tone: Tone): NumberCell =>
  countCell(value, value === 0 ? 'faint' : tone);

/** Makes a cell of a number in so many significant digits. */
export const digitsCell = (value: MeasuredNumber, count = 3): NumberCell => ({
  value,
  as: 'digits',
  digits: count,
});

/** Makes a cell of a size for people: a power of ten from ten thousand on. */
export const magnitudeCell = (value: MeasuredNumber): NumberCell => ({ value, as: 'magnitude' });

/** Makes a cell of a share, in percent. */
export const shareCell = (value: MeasuredNumber): NumberCell => ({ value, as: 'percent' });

/** Makes a cell of words with a tone. */
export const tonedCell = (value: string, tone: Tone | undefined): TextCell => ({ value, as: 'text', tone });

const SAYERS: Readonly<Record<NumberCell['as'], (value: MeasuredNumber, digits?: number) => string>> = {
  count: (value) =>
    typeof value === 'number' && Number.isInteger(value) ? String(value) : formatShort(value),
  digits: formatShort,
  magnitude: formatMagnitude,
  percent: formatPercent,
  exponent: formatExponent,
  seconds: (value) => (typeof value === 'number' ? formatDuration(value) : formatShort(value)),
};

/** Returns the text of a cell, whatever the medium. */
export function sayCell(cell: TableCell): string {
  if (typeof cell === 'string') return cell;
  return cell.as === 'text' ? cell.value : SAYERS[cell.as](cell.value, cell.digits);
}

/** Returns the addition that is printed with a cell. */
export const underCell = (cell: TableCell): string | undefined =>
  typeof cell === 'string' ? undefined : cell.under;

/** Returns the tone of a cell. */
export const toneOf = (cell: TableCell): Tone | undefined =>
  typeof cell === 'string' ? undefined : cell.tone;

/** Returns the first rows of a table, with the number of the others in its note. */
export function firstRows(table: Table, most: number): Table {
  const left = table.rows.length - most;
  if (left <= 0) return table;
  const more = `… and ${left} more ${left === 1 ? 'row' : 'rows'}; the results file has them all.`;
  return { ...table, rows: table.rows.slice(0, most), note: [more, table.note ?? ''].join('\n').trim() };
}
