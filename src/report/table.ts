import { duration, exponent, type Measured, magnitude, percent, short } from './numbers.ts';

/** What a cell means to whoever reads it; every medium has its way to show it, none by colour alone. */
export type Tone = 'good' | 'bad' | 'unsure' | 'faint';

interface Shown {
  readonly tone?: Tone | undefined;
  /** What belongs to the value and is printed smaller, or below it. */
  readonly under?: string | undefined;
}

/** A number, and how it is said; three digits where `digits` does not say otherwise. */
export interface Value extends Shown {
  readonly value: Measured;
  readonly as: 'count' | 'digits' | 'magnitude' | 'percent' | 'exponent' | 'seconds';
  readonly digits?: number;
}

/** Words that mean something good or bad, or have something below them. */
export interface Words extends Shown {
  readonly value: string;
  readonly as: 'text';
}

/** What a table holds: plain words, or a value that says how it is to be read. */
export type Cell = string | Value | Words;

/** A column: words and codes are aligned left, numbers right; a code, such as a command, is never broken into lines. */
export interface Column {
  readonly heading: string;
  readonly is: 'text' | 'number' | 'code';
}

/** Rows under headings, for any medium. Where no column has a heading, they are names and values. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  /** What to know of the numbers, a line a paragraph. */
  readonly note?: string | undefined;
}

/** Columns of one kind, by their headings. */
export const columnsOf = (is: Column['is'], ...headings: readonly string[]): Column[] =>
  headings.map((heading) => ({ heading, is }));

/** Names and what they stand for, as a table without headings; a name without a value is left out. */
export function factsOf(title: string, pairs: readonly (readonly [string, Cell | undefined])[]): Table {
  const rows = pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { title, columns: columnsOf('text', '', ''), rows };
}

/** Whether a table is one of names and values. */
export const isFacts = ({ columns }: Table): boolean => columns.every(({ heading }) => heading === '');

/** A whole number. */
export const count = (value: Measured, tone?: Tone): Value => ({ value, as: 'count', tone });

/** A count that is worth a tone unless it is 0. */
export const tally = (value: number, tone: Tone): Value => count(value, value === 0 ? 'faint' : tone);

/** A number in so many significant digits. */
export const digits = (value: Measured, count = 3): Value => ({ value, as: 'digits', digits: count });

/** How large something is, for people: a power of ten from ten thousand on. */
export const magnitudeOf = (value: Measured): Value => ({ value, as: 'magnitude' });

/** A share, as per cent. */
export const share = (value: Measured): Value => ({ value, as: 'percent' });

/** Words with a tone. */
export const toned = (value: string, tone: Tone | undefined): Words => ({ value, as: 'text', tone });

const SAYERS: Readonly<Record<Value['as'], (value: Measured, digits?: number) => string>> = {
  count: (value) => (typeof value === 'number' && Number.isInteger(value) ? String(value) : short(value)),
  digits: short,
  magnitude,
  percent,
  exponent,
  seconds: (value) => (typeof value === 'number' ? duration(value) : short(value)),
};

/** What a cell says, whatever the medium. */
export function sayCell(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  return cell.as === 'text' ? cell.value : SAYERS[cell.as](cell.value, cell.digits);
}

/** What is printed with a cell besides what it says. */
export const underCell = (cell: Cell): string | undefined =>
  typeof cell === 'string' ? undefined : cell.under;

/** What a cell means. */
export const toneOf = (cell: Cell): Tone | undefined => (typeof cell === 'string' ? undefined : cell.tone);

/** The first rows of a table, and how many are left, in its note. */
export function firstRows(table: Table, most: number): Table {
  const left = table.rows.length - most;
  if (left <= 0) return table;
  const more = `… and ${left} more ${left === 1 ? 'row' : 'rows'}; the results file has them all.`;
  return { ...table, rows: table.rows.slice(0, most), note: [more, table.note ?? ''].join('\n').trim() };
}
