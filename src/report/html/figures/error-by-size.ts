import { fromReal } from '../../../gate/results.ts';
import { html, type Markup } from '../markup.ts';
import { asPrinted, levelsInWords, name } from '../text.ts';
import { errorAxis, sizeAxis } from './axis.ts';
import { legend, type ReferenceKey } from './legend.ts';
import { publishedMark, referenceLine, seriesMarks } from './marks.ts';
import { algorithmNumbers } from './palette.ts';
import { ACROSS, panel, panels, UPWARDS } from './panel.ts';
import { errorOf, type Family, gather, type MeasureName, type Point, valuesOf } from './points.ts';
import type { Published } from './published.ts';

const LABELS: Readonly<Record<MeasureName, string>> = {
  maxError: 'largest |Ĉ − C|',
  meanError: 'mean |Ĉ − C|',
};

/** The label of an axis of errors. */
export function errorLabel(measure: MeasureName, ideal: boolean): string {
  return ideal ? LABELS[measure].replace('C|', 'ideal|') : LABELS[measure];
}

const REFERENCE_VALUES: Readonly<
  Record<ReferenceKey, (result: Family['cases'][number]) => number | undefined>
> = {
  sigma: ({ sigma }) => finite(sigma?.largest),
  running: ({ runningBound }) => finite(runningBound?.largest),
  apriori: ({ aPriori }) => finite(aPriori?.bound),
};

function finite(value: Parameters<typeof fromReal>[0] | undefined): number | undefined {
  const x = value === undefined ? 0 : fromReal(value);
  return x > 0 && Number.isFinite(x) ? x : undefined;
}

const MOST_LEVELS = 8;

/** How the errors of a family grow with size: a row of panels for each measure, a panel for each number of levels. */
export function errorBySize(family: Family, printed: readonly Published[]): Markup {
  const algorithms = algorithmNumbers(family.cases.map(({ algorithm }) => algorithm));
  const references = Object.entries(REFERENCE_VALUES).map(([key, value]) => ({
    key: key as ReferenceKey,
    points: gather(family.cases, value),
  }));
  const here = printed.filter(
    ({ input, precision, algorithm }) =>
      input === family.input && precision === family.precision && algorithms.has(algorithm),
  );
  const levels = [...new Set(family.cases.map((result) => result.levels))]
    .sort((a, b) => a - b)
    .slice(0, MOST_LEVELS);
  const shown = here.filter((published) => levels.includes(published.levels));
  const rows = (['maxError', 'meanError'] as const).map((measure) => {
    // Bounds and expected errors are of the largest error; of the mean there is none.
    const lines = measure === 'maxError' ? references : [];
    const points = gather(family.cases, (result) => errorOf(result, measure));
    const marks = shown.filter((published) => published.measure === measure);
    const x = sizeAxis(
      'n',
      [...points, ...shown].map(({ n }) => n),
      ACROSS,
    );
    const values = [
      ...[points, ...lines.map((line) => line.points)].flatMap((p) => [...valuesOf(p)]),
      ...marks.map(({ value }) => value),
    ];
    const y = errorAxis(errorLabel(measure, family.ideal), values, UPWARDS);
    return panels(
      levels.map((level) => {
        const of = <T extends { levels: number; algorithm: string }>(all: readonly T[], algorithm: string) =>
          all.filter((one) => one.levels === level && one.algorithm === algorithm);
        const across = ({ n }: Point) => n;
        const body = [...algorithms].map(([algorithm, number]) => [
          lines.map(({ key, points }) =>
            referenceLine(of(points, algorithm), x, y, { name: key, number, across }),
          ),
          seriesMarks(of(points, algorithm), x, y, {
            number,
            across,
            describe: ({ n }) => `${name(algorithm)}, n = ${n}`,
          }),
          of(marks, algorithm).map(({ n, value, figure }) =>
            publishedMark(
              [x.at(n), y.at(value)],
              number,
              `${algorithm}, n = ${n}: ${asPrinted(value)} printed in ${name(figure)}`,
            ),
          ),
        ]);
        return panel({ title: `${levelsInWords(level)}`, x, y, body: html`${body}` });
      }),
    );
  });
  const used = new Set(references.filter(({ points }) => points.length > 0).map(({ key }) => key));
  return html`${legend({ algorithms, references: used, published: shown.length > 0 })}${rows}`;
}
