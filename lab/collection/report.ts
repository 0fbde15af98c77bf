import type { Grid } from '../../src/algorithms/algorithm.ts';
import { rowsOf } from '../../src/collection/as-algorithm.ts';
import { type Collected, formOf, type Origin } from '../../src/collection/collected.ts';
import { figuresOf, type TableFigures } from '../../src/collection/figures.ts';
import type { Reached } from '../../src/evidence/grade.ts';
import { orbitText, rankText } from './invariants.ts';
import type { MeasuredErrors, MeasureOptions } from './measure.ts';
import type { MeasuredBasis } from './measure-bases.ts';
import type { MeasuredScaling, ScalingOptions } from './measure-scaling.ts';

/** What is told of one table. */
export interface TableReport {
  readonly name: string;
  readonly title: string;
  readonly form: string;
  readonly base: Grid;
  readonly origin: Origin;
  readonly source: string;
  readonly licence: string;
  readonly figures: TableFigures;
  /** Which of the orbits of the report it belongs to, counted from 1 in the order of the tables. */
  readonly orbit: number;
  /** The grade of one level; left out where it was not measured. */
  readonly grade?: Reached;
  /** Left out where factors are not dyadic, or nothing was measured. */
  readonly errors?: readonly MeasuredErrors[];
  /** With and without scaling by powers of two; of some tables. */
  readonly scaling?: readonly MeasuredScaling[];
  /** In an alternative basis; where one of few enough is found. */
  readonly bases?: MeasuredBasis;
  /** What one number says of the measured errors. */
  readonly lost?: Lost | undefined;
}

/** Bits lost against classical products of the same operands in the mean error, uniform on [−1, 1], at the largest size. */
export interface Lost {
  readonly first: number;
  /** Low and high of the 95 % interval. */
  readonly interval: readonly [low: number, high: number];
  /** At the most levels that were measured, for each doubling of n that the levels make: what tables of different bases compare by. */
  readonly perDoubling: number;
  readonly levels: number;
}

/** How many tables there are, and of what. */
export interface Counts {
  readonly tables: number;
  /** Those that no exchange of roles, order of blocks or signs makes of another; fast ones, without those that are composed. */
  readonly inequivalent: number;
  /** Of these, those that no other basis makes of another, as far as ranks of sums tell. */
  readonly inAnyBasis: number;
  readonly dyadic: number;
  readonly measured: number;
  readonly byOrigin: Readonly<Record<string, number>>;
}

/** The report that `catalogue` writes. */
export interface CatalogueReport {
  readonly command: string;
  readonly version: string;
  readonly createdAt: string;
  readonly options: MeasureOptions;
  /** How scaling was measured. */
  readonly scaling: ScalingOptions;
  readonly counts: Counts;
  readonly tables: readonly TableReport[];
}

/** What was measured of a table. */
export interface Measured {
  readonly grade: Reached;
  readonly errors: readonly MeasuredErrors[];
  readonly scaling?: readonly MeasuredScaling[];
  readonly bases?: MeasuredBasis;
}

/** Puts tables and what was measured of them together. @param measured by name. */
export function tablesReport(
  tables: readonly Collected[],
  measured: ReadonlyMap<string, Measured>,
): TableReport[] {
  const orbits: string[] = [];
  return tables.map((table) => {
    const { name, title, base, origin, source, licence } = table;
    const text = orbitText({ base, ...rowsOf(table) });
    if (!orbits.includes(text)) orbits.push(text);
    const found = measured.get(name);
    return {
      ...{ name, title, form: formOf(table), base, origin, source, licence, figures: figuresOf(table) },
      orbit: orbits.indexOf(text) + 1,
      ...(found === undefined ? {} : { ...found, lost: lostOf(base, found.errors) }),
    };
  });
}

/** @returns undefined where a uniform product was not measured. */
function lostOf({ m, k, n }: Grid, errors: readonly MeasuredErrors[]): Lost | undefined {
  const uniform = errors.filter(({ input }) => input === 'uniform');
  const largest = (levels: number) => uniform.filter((one) => one.levels === levels).at(-1);
  const most = Math.max(0, ...uniform.map(({ levels }) => levels));
  const [first, last] = [largest(1), largest(most)];
  if (first === undefined || last === undefined) return undefined;
  return {
    first: first.lostInMean.mean,
    interval: [first.lostInMean.low, first.lostInMean.high],
    perDoubling: last.lostInMean.mean / ((most * Math.log2(m * k * n)) / 3),
    levels: most,
  };
}

/** Counts of tables. */
export function countsOf(tables: readonly Collected[], reports: readonly TableReport[]): Counts {
  const isCounted = ({ origin }: { origin: Origin }) => origin !== 'classical' && origin !== 'composed';
  const counted = tables.filter(isCounted);
  const origins = reports.map(({ origin }) => origin);
  return {
    tables: reports.length,
    inequivalent: new Set(reports.filter(isCounted).map(({ orbit }) => orbit)).size,
    inAnyBasis: new Set(
      counted.map((table) => `${table.products.length} ${rankText({ base: table.base, ...rowsOf(table) })}`),
    ).size,
    dyadic: reports.filter(({ figures }) => figures.isDyadic).length,
    measured: reports.filter(({ errors }) => errors !== undefined).length,
    byOrigin: Object.fromEntries(
      [...new Set(origins)].map((one) => [one, origins.filter((other) => other === one).length]),
    ),
  };
}
