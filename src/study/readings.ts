import { formatPercent, formatShort } from '../report/numbers.ts';
import type { Table } from '../report/table.ts';
import { countBitsLost, type Entrant, type Measurement } from './bench/measurement.ts';
import type { BenchOutcome } from './bench/sweep.ts';

/** A column of a table: its heading, and the function that writes its cells. */
export type ReadingColumn<Row> = readonly [heading: string, text: (row: Row) => string];

/** Makes a table of rows: columns of words, then columns of numbers, and finally words again. */
export function readingsTable<Row>(
  title: string,
  rows: readonly Row[],
  words: readonly ReadingColumn<Row>[],
  numbers: readonly ReadingColumn<Row>[],
  { note, last = [] }: { readonly note?: string; readonly last?: readonly ReadingColumn<Row>[] } = {},
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
export function findMeasurement({ measurements }: BenchOutcome, wanted: Partial<Measurement>): Maybe {
  const keys = Object.keys(wanted) as (keyof Measurement)[];
  return measurements.find((one) => keys.every((key) => one[key] === wanted[key]));
}

/** Writes a comparison of two measurements, where both were made. */
const ofBoth =
  (say: (one: Measurement, base: Measurement) => string) =>
  (one: Maybe, base: Maybe): string =>
    one === undefined || base === undefined ? NOTHING : say(one, base);

/** Writes the speed of one relative to another, "times as fast". */
export const timesAsFast = ofBoth((one, base) => formatShort(base.median / one.median));

/** Writes the time saved over another, as a share of the other's time. */
export const timeWon = ofBoth((one, base) => formatPercent(1 - one.median / base.median));

/** Writes the bits that one has fewer than another. */
export const bitsLost = ofBoth((one, base) => countBitsLost(base, one));

/** Writes the bits of a product. */
export const formatBitsOf = (one: Maybe): string => one?.bits.toFixed(1) ?? NOTHING;

/** Writes a published number, where there is one. */
export const formatPublishedNumber = (
  value: number | undefined,
  say: (value: number) => string = formatShort,
): string => (value === undefined ? NOTHING : say(value));

/** Returns the precision in which kernels of other libraries multiply, by their names. */
export function precisionOf(kernel: string): 'f32' | 'f64' {
  return /f64$|^host:(?!double$)/.test(kernel) ? 'f64' : 'f32';
}

/** Makes entrants of external kernels, each in its own precision. */
export const entrantsOf = (kernels: readonly string[]): Entrant[] =>
  kernels.map((kernel) => ({ kernel, precision: precisionOf(kernel) }));
