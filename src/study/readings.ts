import { percent, short } from '../report/numbers.ts';
import type { Table } from '../report/table.ts';
import { type Entrant, lost, type Measurement } from './bench/measurement.ts';
import type { Outcome } from './bench/sweep.ts';

/** A column of a table: its heading, and the function that writes its cells. */
export type Column<Row> = readonly [heading: string, text: (row: Row) => string];

/** Makes a table of rows: columns of words, then columns of numbers, and finally words again. */
export function tableOf<Row>(
  title: string,
  rows: readonly Row[],
  words: readonly Column<Row>[],
  numbers: readonly Column<Row>[],
  { note, last = [] }: { readonly note?: string; readonly last?: readonly Column<Row>[] } = {},
): Table {
  const all = [...words, ...numbers, ...last];
  return {
    title,
    columns: all.map((column) => ({
      heading: column[0],
      is: numbers.includes(column) ? 'number' : 'text',
    })),
    rows: rows.map((row) => all.map(([, text]) => text(row))),
    note,
  };
}

/** The text of a cell that was not measured, or not published. */
export const NOTHING = '–';

type Maybe = Measurement | undefined;

/** Returns the first measurement with all wanted properties. */
export function found({ measurements }: Outcome, wanted: Partial<Measurement>): Maybe {
  const keys = Object.keys(wanted) as (keyof Measurement)[];
  return measurements.find((one) => keys.every((key) => one[key] === wanted[key]));
}

/** Writes a comparison of two measurements, where both were made. */
const ofBoth =
  (say: (one: Measurement, base: Measurement) => string) =>
  (one: Maybe, base: Maybe): string =>
    one === undefined || base === undefined ? NOTHING : say(one, base);

/** Writes the speed of one relative to another, "times as fast". */
export const timesAsFast = ofBoth((one, base) => short(base.median / one.median));

/** Writes the time saved over another, as a share of the other's time. */
export const timeWon = ofBoth((one, base) => percent(1 - one.median / base.median));

/** Writes the bits that one has fewer than another. */
export const bitsLost = ofBoth((one, base) => lost(base, one));

/** Writes the bits of a product. */
export const bits = (one: Maybe): string => one?.bits.toFixed(1) ?? NOTHING;

/** Writes a published number, where there is one. */
export const printed = (value: number | undefined, say: (value: number) => string = short): string =>
  value === undefined ? NOTHING : say(value);

/** Returns the precision in which kernels of other libraries multiply, by their names. */
export function precisionOf(kernel: string): 'f32' | 'f64' {
  return /f64$|^host:(?!double$)/.test(kernel) ? 'f64' : 'f32';
}

/** Makes entrants of external kernels, each in its own precision. */
export const entrantsOf = (kernels: readonly string[]): Entrant[] =>
  kernels.map((kernel) => ({ kernel, precision: precisionOf(kernel) }));
