import { toOneLine } from '../../src/base/printable.ts';
import { renderPage } from '../../src/pages/html/frame.ts';
import type { Figure } from '../../src/report/figure.ts';
import { htmlFigures } from '../../src/report/html/figure.ts';
import { shapeDefinitions } from '../../src/report/html/figures/palette.ts';
import { html } from '../../src/report/html/markup.ts';
import { htmlTable } from '../../src/report/html/table.ts';
import { markdownCode, markdownSection, plainText } from '../../src/report/markdown/table.ts';
import { formatDuration } from '../../src/report/numbers.ts';
import { makeFactsTable, type Table } from '../../src/report/table.ts';
import { terminalTables } from '../../src/report/terminal/table.ts';
import { type TerminalStyle, wrapText } from '../../src/report/terminal/text.ts';
import type { GradersReport } from './report.ts';
import { corpusTable, gainsTable, heatTable, improvementTable, sourcesTable } from './section.ts';

const TITLE = 'Comparison of graders';

const tablesOf = (report: GradersReport): Table[] => [
  heatTable(report),
  corpusTable(report),
  improvementTable(report),
  gainsTable(report),
  sourcesTable(report),
];

/** The figure of cost against kill rate, a mark for each grader. */
function costFigure({ tallies }: GradersReport): Figure {
  const marks = tallies.map(({ grader, all, seconds }, at) => ({
    x: Math.max(1e-4, seconds),
    y: all.of === 0 ? Number.NaN : (100 * all.caught) / all.of,
    bar: [100 * all.low, 100 * all.high] as const,
    says: `${grader}: ${all.caught} of ${all.of} caught, ${formatDuration(seconds)}`,
    tag: String(at + 1),
  }));
  return {
    title: 'Cost and faults caught',
    x: { label: 'seconds per passing kernel', scale: 'logarithmic' },
    y: { label: 'caught (%)', scale: 'linear', include: [0, 100] },
    series: [{ draw: 'points', shape: 'own', hue: 'a grader', marks }],
    note: `${tallies.map(({ grader }, at) => `${at + 1} ${grader}`).join(', ')}. Bars are 95 % intervals.`,
  };
}

/** The introduction to the tables. */
function headOf({ specimens, seed, most }: GradersReport): string[] {
  const count = (corpus: string) => specimens.filter((one) => one.corpus === corpus).length;
  return [
    `Checks of other projects and our own, run on ${count('history')} historical bugs, ${count('mutants')} mutants, ${count('cheats')} cheats and ${count('honest')} correct kernels. Seed ${seed}.`,
    `Products of more than ${most} multiplications shrink: their largest size is halved until they fit. Storage that a kernel does not accept is replaced by row-major matrices without gaps, in place, if the product stays the same; otherwise the product is skipped.`,
    'Each grader is reimplemented from its source: its products, its numbers and its comparison. Unwritten GPU memory is zero here, as in JavaScript, unless a grader fills it. A bug that a grader never exercises counts as missed.',
  ];
}

/** Formats the tables of rates and changes for a terminal. */
export function gradersText(report: GradersReport, look: TerminalStyle): string {
  const head = [TITLE, ...headOf(report)].flatMap((line) => wrapText(toOneLine(line), look.width));
  const tables = [heatTable(report), corpusTable(report), improvementTable(report)];
  return `${head.join('\n')}\n\n${terminalTables(tables, look)}`;
}

/** Formats the report in GitHub's Markdown. */
export function gradersMarkdown(report: GradersReport): string {
  const { command, version, createdAt } = report;
  const made = `${markdownCode(command)}, gemm-paranoia ${plainText(version)}, ${plainText(createdAt)}`;
  const tables = tablesOf(report).map((table) => markdownSection(table, 2));
  return `${[`# ${TITLE}`, ...headOf(report).map(plainText), made, ...tables].join('\n\n')}\n`;
}

/** Formats the report as one self-contained HTML file. */
export function gradersPage(report: GradersReport): string {
  const { version, createdAt, command } = report;
  const made = makeFactsTable('', [
    ['command', command],
    ['created', `${createdAt} by gemm-paranoia ${version}`],
  ]);
  const figure = html`<section id="cost"><h2>Cost and faults caught</h2>${htmlFigures([[costFigure(report)]])}</section>`;
  const [heat, ...others] = tablesOf(report).map(
    (table) => html`<section><h2>${toOneLine(table.title)}</h2>${htmlTable(table)}</section>`,
  );
  const head = html`<h1>${TITLE}</h1>${headOf(report).map((line) => html`<p>${toOneLine(line)}</p>`)}${htmlTable(made)}`;
  return renderPage(TITLE, html`${shapeDefinitions()}${head}<main id="main">${heat}${figure}${others}</main>`)
    .text;
}
