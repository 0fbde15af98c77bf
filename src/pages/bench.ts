import { group } from 'd3-array';
import { toOneLine } from '../base/printable.ts';
import { AWAKE_AFTER } from '../gpu/runner/time.ts';
import type { Figure, Series } from '../report/figure.ts';
import { htmlFigures } from '../report/html/figure.ts';
import { shapeDefinitions } from '../report/html/figures/palette.ts';
import { html } from '../report/html/markup.ts';
import { htmlTable } from '../report/html/table.ts';
import { markdownCode, markdownSection, plainText } from '../report/markdown/table.ts';
import { makeFactsTable } from '../report/table.ts';
import { terminalTables } from '../report/terminal/table.ts';
import { type TerminalStyle, wrapText } from '../report/terminal/text.ts';
import type { Measurement } from '../study/bench/measurement.ts';
import { type BenchReport, productName } from '../study/bench/report.ts';
import { tablesOf } from '../study/bench/tables.ts';
import { describeTrade, shortName } from './figures/series.ts';
import { renderPage } from './html/frame.ts';

/** Returns the lines above the tables: the device, the method and the clock. */
function headOf({ adapter, timing, timestamps, tuning, notes, study }: BenchReport): string[] {
  const clock = timestamps
    ? 'it has timestamps'
    : 'it has no timestamps, so that the wall clock tells the time';
  const tuned =
    tuning === undefined ? 'the leaf kernels are not tuned for it' : `its leaf kernels are tuned: ${tuning}`;
  const { trials, warmUp, least, most } = timing;
  const awake = adapter.kind === 'hardware' ? ` and ${AWAKE_AFTER} s of work` : '';
  return [
    ...(study === undefined ? [] : [study.source]),
    `On ${adapter.name} (${adapter.backend === 'processor' ? '' : `${adapter.kind}, `}${adapter.backend}, ${adapter.driver}; ${adapter.chosenBecause}); ${clock}; ${tuned}.`,
    `${trials} trials after ${warmUp} to warm up${awake}, each of at least ${1000 * least} ms; no new trial after ${most} s, unless fewer than ${timing.fewest} were made.`,
    ...notes,
  ];
}

export function benchText(report: BenchReport, look: TerminalStyle): string {
  const head = [report.title, ...headOf(report)].flatMap((line) => wrapText(toOneLine(line), look.width));
  return `${head.join('\n')}\n\n${terminalTables(tablesOf(report), look)}`;
}

export function benchMarkdown(report: BenchReport): string {
  const { title, command, version, createdAt } = report;
  const made = `${markdownCode(command)}, gemm-paranoia ${plainText(version)}, ${plainText(createdAt)}`;
  const tables = tablesOf(report).map((table) => markdownSection(table, 2));
  return `${[`# ${plainText(title)}`, ...headOf(report).map(plainText), made, ...tables].join('\n\n')}\n`;
}

const MOST_PANELS = 24;

/** Renders speed against bits lost, and every table of a run, as one self-contained HTML file. */
export function benchPage(report: BenchReport): string {
  const { title, measurements, version, createdAt, command } = report;
  const fields = paretoFields(measurements).slice(0, MOST_PANELS);
  const made = makeFactsTable('', [
    ['command', command],
    ['made', `${createdAt} by gemm-paranoia ${version}`],
  ]);
  const figure =
    fields.length === 0
      ? undefined
      : html`<section id="pareto"><h2>Speed against bits lost</h2><p>Each mark is a kernel; its number, its levels of recursion. Upwards it is faster than the fastest classical product, to the right it loses bits of its worst entry. The front joins those than which no other is both as fast and as accurate.</p>${htmlFigures([fields.map(paretoFigure)])}</section>`;
  const tables = tablesOf(report).map(
    (table) => html`<section><h2>${toOneLine(table.title)}</h2>${htmlTable(table)}</section>`,
  );
  const head = html`<h1>${title}</h1>${headOf(report).map((line) => html`<p>${toOneLine(line)}</p>`)}${htmlTable(made)}`;
  return renderPage(
    shortName(title),
    html`${shapeDefinitions()}${head}<main id="main">${figure}${tables}</main>`,
  ).text;
}

/** Speed-up and lost bits of an entrant, compared with the fastest classical product. */
interface ParetoPoint {
  readonly label: string;
  readonly algorithm: string;
  readonly levels: number;
  readonly bitsLost: number;
  readonly speedUp: number;
  /** True if no other entrant is both as fast and as accurate. */
  readonly onFront: boolean;
}

/** The entrants of one product. */
interface ParetoField {
  readonly title: string;
  readonly points: readonly ParetoPoint[];
}

/** Returns the fields with several entrants, the largest product first. */
export function paretoFields(measurements: readonly Measurement[]): ParetoField[] {
  const fieldOf = (one: Measurement) => `${productName(one)}, ${one.precision}`;
  return [...group(measurements, fieldOf)]
    .filter(([, all]) => all.length > 1)
    .sort(([, [x]], [, [y]]) => y.m * y.k * y.n - x.m * x.k * x.n)
    .map(([title, all]) => {
      const traded = all.map((one) => ({ one, speed: 1 / one.median, bits: one.bits }));
      const front = new Set(paretoFront(traded).map(({ one }) => one));
      const base = fastestClassical(all);
      const points = all.map((one) => {
        const { label, algorithm, levels } = one;
        const bitsLost = base.bits - one.bits;
        return {
          label,
          algorithm,
          levels,
          bitsLost,
          speedUp: base.median / one.median,
          onFront: front.has(one),
        };
      });
      return { title, points };
    });
}

/** Returns the common reference of a field, so that its marks compare. Without a classical product, this is the first entrant. */
function fastestClassical(all: readonly Measurement[]): Measurement {
  const classical = all.filter(({ algorithm, levels }) => algorithm === 'classical' && levels === 0);
  return classical.reduce((best, one) => (one.median < best.median ? one : best), classical[0] ?? all[0]);
}

/** Draws a field: bits lost to the right, speed won upwards; a line joins the Pareto front. */
export function paretoFigure({ title, points }: ParetoField): Figure {
  const front = points.filter(({ onFront }) => onFront).sort((a, b) => a.bitsLost - b.bitsLost);
  const marks = [...group(points, ({ algorithm }) => shortName(algorithm))].map(
    ([hue, own]): Series => ({ draw: 'points', shape: 'own', hue, marks: own.map(markOf) }),
  );
  const most = Math.max(0, ...points.map(({ bitsLost }) => bitsLost));
  return {
    title,
    // The axis leaves room for the number behind the rightmost mark.
    x: { label: 'significant bits lost', scale: 'linear', include: [0, 1.08 * most] },
    y: { label: 'speed-up over the fastest classical', scale: 'linear', include: [0, 1] },
    series: [
      { draw: 'rule', y: 1 },
      {
        draw: 'line',
        stroke: 'thin',
        name: 'front',
        points: front.map(({ bitsLost, speedUp }) => [bitsLost, speedUp] as const),
      },
      ...marks,
    ],
  };
}

const markOf = ({ label, bitsLost, speedUp, onFront, levels }: ParetoPoint) => ({
  x: bitsLost,
  y: speedUp,
  says: `${shortName(label)}: ${describeTrade(speedUp, bitsLost)}${onFront ? ', on the front' : ''}`,
  tag: levels > 0 ? String(levels) : undefined,
});

/** An item with a trade-off between speed and accuracy. */
interface ParetoItem {
  /** Larger is better. */
  readonly speed: number;
  /** Larger is better. */
  readonly bits: number;
}

/**
 * Returns the Pareto front, the most accurate first: the items to which no other is at least equal in speed and accuracy and superior in
 * one of the two. Equal items are all kept.
 */
export function paretoFront<T extends ParetoItem>(all: readonly T[]): T[] {
  const isBeaten = (one: T) =>
    all.some(
      ({ speed, bits }) => speed >= one.speed && bits >= one.bits && (speed > one.speed || bits > one.bits),
    );
  return all.filter((one) => !isBeaten(one)).sort((a, b) => b.bits - a.bits || b.speed - a.speed);
}
