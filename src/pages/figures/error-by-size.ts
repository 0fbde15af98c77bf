import { group } from 'd3-array';
import { fromJsonNumber } from '../../base/numbers.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Figure, Line, Points, Series } from '../../report/figure.ts';
import type { MeasuredNumber } from '../../report/numbers.ts';
import type { GrowthResult } from '../../run/results.ts';
import { axisValuesOf, growthLines, type MarkFunctions, replicates } from './growth-lines.ts';
import type { PublishedValue } from './published.ts';
import {
  type CaseFamily,
  describeLevels,
  errorLabel,
  errorOf,
  formatPublished,
  gatherPoints,
  type MeasureName,
  type ReplicatePoint,
  type SeriesName,
  shortName,
} from './series.ts';

const MOST_LEVELS = 8;
const MEASURES: readonly MeasureName[] = ['maxError', 'meanError'];

/**
 * Draws the errors of a family by size: a row of figures for each measure, a figure for each number of levels. With one number of levels,
 * both measures share a row.
 */
export function errorBySize(
  family: CaseFamily,
  seriesOf: SeriesName,
  printed: readonly PublishedValue[],
  growth: readonly GrowthResult[] = [],
): Figure[][] {
  const { cases } = family;
  const algorithms = new Set(cases.map(({ algorithm }) => algorithm));
  const levels = [...new Set(cases.map((result) => result.levels))]
    .sort((a, b) => a - b)
    .slice(0, MOST_LEVELS);
  const shown = printed.filter(
    (one) =>
      one.input === family.input &&
      one.precision === family.precision &&
      algorithms.has(one.algorithm) &&
      levels.includes(one.levels),
  );
  const rows = MEASURES.map((measure) =>
    figuresOf(measure, family, { seriesOf, levels, printed: shown, growth }),
  );
  if (levels.length > 1) return rows;
  const titles = ['the largest error', 'the mean error'];
  return [rows.flat().map((figure, at) => ({ ...figure, title: titles[at] }))];
}

interface Shown {
  readonly seriesOf: SeriesName;
  readonly levels: readonly number[];
  readonly printed: readonly PublishedValue[];
  readonly growth: readonly GrowthResult[];
}

const BY_SIZE: MarkFunctions = { across: ({ n }) => n, describe: ({ series, n }) => `${series}, n = ${n}` };

function figuresOf(
  measure: MeasureName,
  family: CaseFamily,
  { seriesOf, levels, printed, growth }: Shown,
): Figure[] {
  const { cases, ideal } = family;
  const points = gatherPoints(cases, seriesOf, (result) => errorOf(result, measure));
  const names = [...new Set(points.map(({ series }) => series))];
  // Bounds and expected errors apply to the largest error. The mean error has none.
  const references = (measure === 'maxError' ? REFERENCES : []).map((reference) => ({
    reference,
    points: gatherPoints(cases, seriesOf, reference.value),
  }));
  const marks = printed.filter((published) => published.measure === measure);
  const all = [points, ...references.map((one) => one.points)].flatMap(axisValuesOf);
  return levels.map((level): Figure => {
    const of = <T extends { levels: number; series: string }>(some: readonly T[], series: string) =>
      some.filter((one) => one.levels === level && one.series === series);
    const fits = growthLines(growth, family, seriesOf, { measure, over: 'size', fixed: level });
    return {
      title: describeLevels(level),
      x: { label: 'n', scale: 'sizes', include: [...points, ...printed].map(({ n }) => n) },
      y: {
        label: errorLabel(measure, ideal),
        scale: 'logarithmic',
        include: [...all, ...marks.map(({ value }) => value)],
      },
      series: [
        ...references.flatMap((one) => {
          const own = names.map((series) => ({ series, points: of(one.points, series) }));
          return referenceLines(one.reference, own, BY_SIZE.across);
        }),
        ...names.flatMap((series) => replicates(of(points, series), series, BY_SIZE)),
        ...fits.lines,
        ...publishedMarks(
          marks.filter((one) => one.levels === level),
          seriesByAlgorithm(cases, seriesOf),
        ),
      ],
      ...(fits.sentences.length === 0 ? {} : { note: fits.sentences.join(' ') }),
    };
  });
}

/** Maps an algorithm to its series, if it has only one. Its published values then take the color of the series. */
function seriesByAlgorithm(cases: readonly CaseResult[], seriesOf: SeriesName): ReadonlyMap<string, string> {
  const found = [...group(cases, ({ algorithm }) => algorithm)].map(
    ([algorithm, own]) => [algorithm, [...new Set(own.map(seriesOf))]] as const,
  );
  return new Map(found.flatMap(([algorithm, names]) => (names.length === 1 ? [[algorithm, names[0]]] : [])));
}

function publishedMarks(values: readonly PublishedValue[], series: ReadonlyMap<string, string>): Series[] {
  return [...group(values, ({ algorithm }) => algorithm)].map(([algorithm, own]): Points => {
    const marks = own.map(({ n, value, figure }) => ({
      x: n,
      y: value,
      says: `${shortName(algorithm)}, n = ${n}: ${formatPublished(value)} printed in ${shortName(figure)}`,
    }));
    return { draw: 'points', shape: 'cross', hue: series.get(algorithm), name: 'published', marks };
  });
}

const BY_LEVELS: MarkFunctions = {
  across: ({ levels }) => levels,
  describe: ({ series, levels }) => `${series}, ${describeLevels(levels)}`,
};

/** Draws the errors of a family by levels, at the size that was run at most levels; returns no figure for one level. */
export function errorByLevels(
  family: CaseFamily,
  seriesOf: SeriesName,
  growth: readonly GrowthResult[] = [],
): Figure[] {
  const cases = atRichestSize(family.cases);
  if (new Set(cases.map(({ levels }) => levels)).size < 2) return [];
  return MEASURES.map((measure) => {
    const points = group(
      gatherPoints(cases, seriesOf, (result) => errorOf(result, measure)),
      ({ series }) => series,
    );
    const references = (measure === 'maxError' ? REFERENCES : []).flatMap((reference) => {
      const found = group(gatherPoints(cases, seriesOf, reference.value), ({ series }) => series);
      const own = [...found].map(([series, of]) => ({ series, points: of }));
      return referenceLines(reference, own, BY_LEVELS.across);
    });
    const fits = growthLines(growth, family, seriesOf, { measure, over: 'levels', fixed: cases[0].n });
    return {
      title: `${shortName(family.input)}, ${shortName(family.precision)}, n = ${cases[0].n}`,
      x: { label: 'levels of recursion', scale: 'steps' },
      y: { label: errorLabel(measure, family.ideal), scale: 'logarithmic' },
      series: [
        ...references,
        ...[...points].flatMap(([series, own]) => replicates(own, series, BY_LEVELS)),
        ...fits.lines,
      ],
      ...(fits.sentences.length === 0 ? {} : { note: fits.sentences.join(' ') }),
    };
  });
}

function atRichestSize(cases: readonly CaseResult[]): CaseResult[] {
  const levelsAt = (same: readonly CaseResult[]) => new Set(same.map(({ levels }) => levels)).size;
  const sizes = [...group(cases, ({ n }) => n)];
  return sizes.sort(([n, a], [m, b]) => levelsAt(b) - levelsAt(a) || m - n)[0][1];
}

/** A reference line beside measured values. */
interface ReferenceSeries extends Pick<Line, 'stroke'> {
  readonly name: string;
  readonly value: (result: CaseResult) => number | undefined;
}

/** The expected largest error, and the bound on it. */
const REFERENCES: readonly ReferenceSeries[] = [
  { name: 'largest sigma expected', stroke: 'dotted', value: ({ sigma }) => drawable(sigma?.largest) },
  {
    name: 'largest running bound',
    stroke: 'dashed',
    value: ({ runningBound }) => drawable(runningBound?.largest),
  },
];

function drawable(value: MeasuredNumber): number | undefined {
  const x = value === undefined ? 0 : fromJsonNumber(value);
  return x > 0 && Number.isFinite(x) ? x : undefined;
}

/** The points of one series. */
interface Own {
  readonly series: string;
  readonly points: readonly ReplicatePoint[];
}

/** Returns a line for each series through its largest values. Where all agree, as for kernels of equal claims, it returns one line. */
function referenceLines(
  { name, stroke }: ReferenceSeries,
  all: readonly Own[],
  across: (point: ReplicatePoint) => number,
): Line[] {
  const lines = all
    .map(({ series, points }): Line => {
      const largest = points.flatMap((point) =>
        point.spread === undefined ? [] : [[across(point), point.spread.max] as const],
      );
      return { draw: 'line', stroke, hue: series, name, points: largest };
    })
    .filter(({ points }) => points.length > 0);
  const joined = lines.length > 1 ? inOne(lines.flatMap(({ points }) => points)) : undefined;
  return joined === undefined ? lines : [{ draw: 'line', stroke, name, points: joined }];
}

/** Largest ratio of values that look equal. */
const ALIKE = 1.02;

/** Merges the points of several lines into one; undefined where they differ. */
function inOne(points: Line['points']): Line['points'] | undefined {
  const places = new Map<number, number>();
  for (const [x, y] of points) {
    const other = places.get(x) ?? y;
    if (Math.max(y / other, other / y) > ALIKE) return undefined;
    places.set(x, other);
  }
  return [...places].sort(([one], [other]) => one - other);
}
