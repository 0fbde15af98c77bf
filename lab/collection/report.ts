import type { BlockGrid } from '../../src/algorithms/algorithm.ts';
import { toCoefficientRows } from '../../src/collection/as-algorithm.ts';
import type { CollectionTable, Origin } from '../../src/collection/collected.ts';
import type { ReachedGrade } from '../../src/evidence/grade.ts';
import { figuresOf, type TableFigures } from './figures.ts';
import { orbitText, rankText } from './invariants.ts';
import type { MeasuredErrors, MeasureOptions } from './measure.ts';
import type { MeasuredBasis } from './measure-bases.ts';
import type { MeasuredScaling, ScalingOptions } from './measure-scaling.ts';
import { formOf } from './tables.ts';

/** The report on one table. */
export interface TableReport {
  readonly name: string;
  readonly title: string;
  readonly form: string;
  readonly base: BlockGrid;
  readonly origin: Origin;
  readonly source: string;
  readonly licence: string;
  readonly figures: TableFigures;
  /** Its orbit in the report, numbered from 1 in the order of the tables. */
  readonly orbit: number;
  /** The grade of one level; absent if it was not measured. */
  readonly grade?: ReachedGrade;
  /** Absent if factors are not dyadic, or nothing was measured. */
  readonly errors?: readonly MeasuredErrors[];
  /** Measurements with and without scaling by powers of two; of some tables. */
  readonly scaling?: readonly MeasuredScaling[];
  /** Measurements in an alternative basis, if one was found. */
  readonly bases?: MeasuredBasis;
  /** A summary of the measured errors. */
  readonly lost?: LostBits | undefined;
}

/** Bits of the mean error lost against classical products of the same operands, uniform on [−1, 1], at the largest size. */
export interface LostBits {
  readonly first: number;
  /** The ends of the 95 % confidence interval. */
  readonly interval: readonly [low: number, high: number];
  /** The loss at the most levels measured, per doubling of n, by which tables of different bases compare. */
  readonly perDoubling: number;
  readonly levels: number;
}

/** Numbers of tables of several kinds. */
export interface TableCounts {
  readonly tables: number;
  /** Fast tables, without composed ones, that are inequivalent under exchanges of roles, reordering of blocks, and signs. */
  readonly inequivalent: number;
  /** Those of them that are inequivalent in any basis, as far as ranks of sums tell. */
  readonly inAnyBasis: number;
  readonly dyadic: number;
  readonly measured: number;
  readonly byOrigin: Readonly<Record<string, number>>;
}

/** The report of `catalogue`. */
export interface CollectionReport {
  readonly command: string;
  readonly version: string;
  readonly createdAt: string;
  readonly options: MeasureOptions;
  /** The options of measuring scaling. */
  readonly scaling: ScalingOptions;
  readonly counts: TableCounts;
  readonly tables: readonly TableReport[];
}

/** Measurements of a table. */
export interface TableMeasurements {
  readonly grade: ReachedGrade;
  readonly errors: readonly MeasuredErrors[];
  readonly scaling?: readonly MeasuredScaling[];
  readonly bases?: MeasuredBasis;
}

/** Combines tables with their measurements. @param measured measurements by name */
export function tablesReport(
  tables: readonly CollectionTable[],
  measured: ReadonlyMap<string, TableMeasurements>,
): TableReport[] {
  const orbits: string[] = [];
  return tables.map((table) => {
    const { name, title, base, origin, source, licence } = table;
    const text = orbitText({ base, ...toCoefficientRows(table) });
    if (!orbits.includes(text)) orbits.push(text);
    const found = measured.get(name);
    return {
      ...{ name, title, form: formOf(table), base, origin, source, licence, figures: figuresOf(table) },
      orbit: orbits.indexOf(text) + 1,
      ...(found === undefined ? {} : { ...found, lost: lostOf(base, found.errors) }),
    };
  });
}

/** Summarizes the loss. @returns undefined if no uniform product was measured */
function lostOf({ m, k, n }: BlockGrid, errors: readonly MeasuredErrors[]): LostBits | undefined {
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

/** Counts tables by kind. */
export function countTables(
  tables: readonly CollectionTable[],
  reports: readonly TableReport[],
): TableCounts {
  const isCounted = ({ origin }: { origin: Origin }) => origin !== 'classical' && origin !== 'composed';
  const counted = tables.filter(isCounted);
  const origins = reports.map(({ origin }) => origin);
  return {
    tables: reports.length,
    inequivalent: new Set(reports.filter(isCounted).map(({ orbit }) => orbit)).size,
    inAnyBasis: new Set(
      counted.map(
        (table) => `${table.products.length} ${rankText({ base: table.base, ...toCoefficientRows(table) })}`,
      ),
    ).size,
    dyadic: reports.filter(({ figures }) => figures.isDyadic).length,
    measured: reports.filter(({ errors }) => errors !== undefined).length,
    byOrigin: Object.fromEntries(
      [...new Set(origins)].map((one) => [one, origins.filter((other) => other === one).length]),
    ),
  };
}
