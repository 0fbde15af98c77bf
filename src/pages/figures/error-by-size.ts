import { group } from 'd3-array';
import { fromReal } from '../../base/real.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Figure, Line, Points, Series } from '../../report/figure.ts';
import type { Measured } from '../../report/numbers.ts';
import { errorLabel, errorOf, type Family, gather, type Point } from './points.ts';
import type { Published } from './published.ts';
import { replicates, valuesOf } from './replicates.ts';
import { asPrinted, levelsInWords, name } from './said.ts';

interface Reference extends Pick<Line, 'stroke'> {
  readonly name: string;
  readonly value: (result: CaseResult) => number | undefined;
}

/** Lines that go with measured values. */
const REFERENCES: readonly Reference[] = [
  { name: 'largest sigma expected', stroke: 'dotted', value: ({ sigma }) => drawable(sigma?.largest) },
  {
    name: 'largest running bound',
    stroke: 'dashed',
    value: ({ runningBound }) => drawable(runningBound?.largest),
  },
  { name: 'a-priori bound', stroke: 'dash-dotted', value: ({ aPriori }) => drawable(aPriori?.bound) },
];

function drawable(value: Measured): number | undefined {
  const x = value === undefined ? 0 : fromReal(value);
  return x > 0 && Number.isFinite(x) ? x : undefined;
}

const MOST_LEVELS = 8;

/** How the errors of a family grow with size: a row of figures for each measure, a figure for each number of levels. */
export function errorBySize(family: Family, printed: readonly Published[]): Figure[][] {
  const { cases } = family;
  const algorithms = [...new Set(cases.map(({ algorithm }) => algorithm))];
  const levels = [...new Set(cases.map((result) => result.levels))]
    .sort((a, b) => a - b)
    .slice(0, MOST_LEVELS);
  const shown = printed.filter(
    (one) =>
      one.input === family.input &&
      one.precision === family.precision &&
      algorithms.includes(one.algorithm) &&
      levels.includes(one.levels),
  );
  return (['maxError', 'meanError'] as const).map((measure) => {
    const points = gather(cases, (result) => errorOf(result, measure));
    // Bounds and expected errors are of the largest error; of the mean there is none.
    const lines = measure === 'maxError' ? REFERENCES : [];
    const references = lines.map((line) => ({ line, points: gather(cases, line.value) }));
    const marks = shown.filter((published) => published.measure === measure);
    const all = [points, ...references.map((one) => one.points)].flatMap(valuesOf);
    return levels.map((level): Figure => {
      const at = <T extends { levels: number; algorithm: string }>(some: readonly T[], algorithm: string) =>
        some.filter((one) => one.levels === level && one.algorithm === algorithm);
      return {
        title: levelsInWords(level),
        x: { label: 'n', scale: 'sizes', include: [...points, ...shown].map(({ n }) => n) },
        y: {
          label: errorLabel(measure, family.ideal),
          scale: 'logarithmic',
          include: [...all, ...marks.map(({ value }) => value)],
        },
        series: algorithms.flatMap((algorithm): Series[] => [
          ...references.map((one) => referenceLine(one.line, at(one.points, algorithm), name(algorithm))),
          ...replicates(at(points, algorithm), name(algorithm), {
            across: ({ n }) => n,
            describe: ({ n }) => `${name(algorithm)}, n = ${n}`,
          }),
          ...publishedMarks(at(marks, algorithm), name(algorithm)),
        ]),
      };
    });
  });
}

/** A line through the largest values of the points: a bound or a prediction. */
function referenceLine({ name, stroke }: Reference, points: readonly Point[], hue: string): Line {
  const largest = points.flatMap(({ n, spread }) => (spread === undefined ? [] : [[n, spread.max] as const]));
  return { draw: 'line', stroke, hue, name, points: largest };
}

function publishedMarks(values: readonly Published[], hue: string): Points[] {
  if (values.length === 0) return [];
  const marks = values.map(({ n, value, figure }) => ({
    x: n,
    y: value,
    says: `${hue}, n = ${n}: ${asPrinted(value)} printed in ${name(figure)}`,
  }));
  return [{ draw: 'points', shape: 'cross', hue, name: 'published', marks }];
}

/** How the errors of a family grow with the levels, at the size that was run at most levels; nothing at one level. */
export function errorByLevels(family: Family): Figure[] {
  const cases = atRichestSize(family.cases);
  if (new Set(cases.map(({ levels }) => levels)).size < 2) return [];
  return (['maxError', 'meanError'] as const).map((measure) => {
    const points = gather(cases, (result) => errorOf(result, measure));
    return {
      title: `${name(family.input)}, ${name(family.precision)}, n = ${cases[0].n}`,
      x: { label: 'levels of recursion', scale: 'steps' },
      y: { label: errorLabel(measure, family.ideal), scale: 'logarithmic' },
      series: [...group(points, ({ algorithm }) => name(algorithm))].flatMap(([algorithm, own]) =>
        replicates(own, algorithm, {
          across: ({ levels }) => levels,
          describe: ({ levels }) => `${algorithm}, ${levelsInWords(levels)}`,
        }),
      ),
    };
  });
}

function atRichestSize(cases: readonly CaseResult[]): CaseResult[] {
  const levelsAt = (same: readonly CaseResult[]) => new Set(same.map(({ levels }) => levels)).size;
  const sizes = [...group(cases, ({ n }) => n)];
  return sizes.sort(([n, a], [m, b]) => levelsAt(b) - levelsAt(a) || m - n)[0][1];
}
