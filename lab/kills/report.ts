import { STYLE } from '../../src/pages/html/frame.ts';
import type { Figure, Line, Points } from '../../src/report/figure.ts';
import { htmlFigures } from '../../src/report/html/figure.ts';
import { shapeDefinitions } from '../../src/report/html/figures/palette.ts';
import { markdownSection } from '../../src/report/markdown/table.ts';
import { countCell, shareCell, type Table } from '../../src/report/table.ts';
import { type KernelDeath, killedBy, orders } from './curves.ts';
import { specimenCorpora } from './specimens.ts';

/** Kernels of one speed on the half that the order has never seen. */
export interface SpeedDeaths {
  readonly title: string;
  readonly deaths: readonly KernelDeath[];
}

/** Columns of the tables. */
const SECONDS = [0.5, 1, 2, 5, 10, 15, 30, 60];
const CASES = [20, 50, 100, 150, 200, 400, 800];

/** The kernels killed by each order after seconds, or after cases. */
function curveTable({ title, deaths }: SpeedDeaths, unit: 'seconds' | 'cases'): Table {
  const columns = unit === 'seconds' ? SECONDS : CASES;
  return {
    title: `${title}: killed by ${unit}`,
    columns: [
      { heading: 'order', is: 'text' },
      ...columns.map((until) => ({
        heading: `${until}${unit === 'seconds' ? ' s' : ''}`,
        is: 'number' as const,
      })),
    ],
    rows: orders.map(({ name, what }) => [
      what,
      ...columns.map((until) => shareCell(killedBy(deaths, name, until, unit) / 100)),
    ]),
    note: `${deaths.filter(({ costs }) => costs !== undefined).length} of ${deaths.length} kernels are killed by some case of the design: these are 100 %.`,
  };
}

/** The kernels of each corpus that the gate kills after seconds. */
function corpusTable({ title, deaths }: SpeedDeaths): Table {
  return {
    title: `${title}: killed, by corpus`,
    columns: [
      { heading: 'corpus', is: 'text' },
      ...['kernels', 'killed by all cases'].map((heading) => ({ heading, is: 'number' as const })),
      ...SECONDS.map((until) => ({ heading: `${until} s`, is: 'number' as const })),
    ],
    rows: specimenCorpora.flatMap((corpus) => {
      const own = deaths.filter((one) => one.corpus === corpus);
      if (own.length === 0) return [];
      const killed = own.filter(({ costs }) => costs !== undefined).length;
      const shares = SECONDS.map((until) => shareCell(killedBy(own, 'gate', until) / 100));
      return [[corpus, countCell(own.length), countCell(killed), ...shares]];
    }),
  };
}

/** The figure of kills against seconds. */
function killsFigure({ title, deaths }: SpeedDeaths): Figure {
  const times = Array.from({ length: 61 }, (_, at) => 0.06 * 10 ** (at / 20));
  const series = orders.flatMap(({ name, what }, at): (Line | Points)[] => {
    const points = times.map((until) => [until, killedBy(deaths, name, until)] as const);
    const [x, y] = points[20 + 8 * at];
    return [
      { draw: 'line', stroke: 'solid', hue: name, points },
      { draw: 'points', shape: 'own', hue: name, marks: [{ x, y, says: what, tag: name }] },
    ];
  });
  return {
    title,
    x: { label: 'seconds of one core', scale: 'logarithmic' },
    y: { label: 'killed (%)', scale: 'linear', include: [0, 100] },
    series,
  };
}

/** Renders the tables in Markdown. */
export const killsMarkdown = (all: readonly SpeedDeaths[], redundant: Table): string =>
  `${[
    ...all.flatMap((one) => [curveTable(one, 'seconds'), curveTable(one, 'cases')]),
    corpusTable(all[0]),
    redundant,
  ]
    .map((table) => markdownSection(table, 2))
    .join('\n\n')}\n`;

/** Renders the figure of the first of the speeds as a drawing of its own. */
export function killsDrawing([first]: readonly SpeedDeaths[]): string {
  const text = htmlFigures([[killsFigure(first)]]).text;
  const svg = /<svg viewBox[\s\S]*?<\/svg>/.exec(text)?.[0] ?? '';
  return `${svg.replace(/^<svg([^>]*)>/, `<svg xmlns="http://www.w3.org/2000/svg"$1><style>${STYLE}</style>${shapeDefinitions().text}`)}\n`;
}
