import { toOneLine } from '../base/printable.ts';
import { AWAKE_AFTER } from '../gpu/runner/time.ts';
import { htmlFigures } from '../report/html/figure.ts';
import { shapeDefinitions } from '../report/html/figures/palette.ts';
import { html } from '../report/html/markup.ts';
import { htmlTable } from '../report/html/table.ts';
import { markdownCode, markdownSection, plainText } from '../report/markdown/table.ts';
import { makeFactsTable } from '../report/table.ts';
import type { TerminalStyle } from '../report/terminal/look.ts';
import { terminalTables } from '../report/terminal/table.ts';
import { wrapText } from '../report/terminal/width.ts';
import type { BenchReport } from '../study/bench/report.ts';
import { tablesOf } from '../study/bench/tables.ts';
import { shortName } from './figures/figure-words.ts';
import { paretoFields, paretoFigure } from './figures/pareto.ts';
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

/** Renders a report for a terminal. */
export function benchText(report: BenchReport, look: TerminalStyle): string {
  const head = [report.title, ...headOf(report)].flatMap((line) => wrapText(toOneLine(line), look.width));
  return `${head.join('\n')}\n\n${terminalTables(tablesOf(report), look)}`;
}

/** Renders a report in GitHub's Markdown. */
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
