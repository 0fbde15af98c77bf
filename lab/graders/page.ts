import { oneLine } from '../../src/base/printable.ts';
import { frame } from '../../src/pages/html/frame.ts';
import type { Figure } from '../../src/report/figure.ts';
import { htmlFigures } from '../../src/report/html/figure.ts';
import { shapeDefinitions } from '../../src/report/html/figures/palette.ts';
import { html } from '../../src/report/html/markup.ts';
import { htmlTable } from '../../src/report/html/table.ts';
import { code, markdownSection, plainText } from '../../src/report/markdown/table.ts';
import { duration } from '../../src/report/numbers.ts';
import { factsOf, type Table } from '../../src/report/table.ts';
import type { Look } from '../../src/report/terminal/look.ts';
import { terminalTables } from '../../src/report/terminal/table.ts';
import { wrap } from '../../src/report/terminal/width.ts';
import type { GradersReport } from './report.ts';
import { corpusTable, gainsTable, heatTable, mendTable, sourcesTable } from './section.ts';

const TITLE = 'Graders graded';

const tablesOf = (report: GradersReport): Table[] => [
  heatTable(report),
  corpusTable(report),
  mendTable(report),
  gainsTable(report),
  sourcesTable(report),
];

/** The figure of cost against kill rate, a mark for each grader. */
function costFigure({ tallies }: GradersReport): Figure {
  const marks = tallies.map(({ grader, all, seconds }, at) => ({
    x: Math.max(1e-4, seconds),
    y: all.of === 0 ? Number.NaN : (100 * all.caught) / all.of,
    bar: [100 * all.low, 100 * all.high] as const,
    says: `${grader}: ${all.caught} of ${all.of} caught, ${duration(seconds)}`,
    tag: String(at + 1),
  }));
  return {
    title: 'Cost against what is caught',
    x: { label: 'seconds for a kernel that passes', scale: 'logarithmic' },
    y: { label: 'caught, per cent', scale: 'linear', include: [0, 100] },
    series: [{ draw: 'points', shape: 'own', hue: 'a grader', marks }],
    note: `${tallies.map(({ grader }, at) => `${at + 1} ${grader}`).join(', ')}. Bars are 95 % intervals.`,
  };
}

/** The introduction to the tables. */
function headOf({ specimens, seed, most }: GradersReport): string[] {
  const count = (corpus: string) => specimens.filter((one) => one.corpus === corpus).length;
  return [
    `${count('history')} wrong products of history, ${count('mutants')} mutants, ${count('cheats')} cheats and ${count('honest')} honest kernels, as other people's checks and ours see them. Seed ${seed}.`,
    `A product of more than ${most} multiplications is made smaller: its largest size is halved until it is not. What a kernel does not take is asked for by rows, without gaps and in place where that is the same product, else left out.`,
    'A grader is told anew from its source: what it asks, with which numbers, and what it compares. Memory of a GPU that was not written is zero here, as JavaScript has it, unless a grader fills it. A bug that a grader never asks for counts as missed: that is what is measured.',
  ];
}

/** Formats the tables of rates and changes for a terminal. */
export function gradersText(report: GradersReport, look: Look): string {
  const head = [TITLE, ...headOf(report)].flatMap((line) => wrap(oneLine(line), look.width));
  const tables = [heatTable(report), corpusTable(report), mendTable(report)];
  return `${head.join('\n')}\n\n${terminalTables(tables, look)}`;
}

/** Formats the report in GitHub's Markdown. */
export function gradersMarkdown(report: GradersReport): string {
  const { command, version, createdAt } = report;
  const made = `${code(command)}, gemm-paranoia ${plainText(version)}, ${plainText(createdAt)}`;
  const tables = tablesOf(report).map((table) => markdownSection(table, 2));
  return `${[`# ${TITLE}`, ...headOf(report).map(plainText), made, ...tables].join('\n\n')}\n`;
}

/** Formats the report as one self-contained HTML file. */
export function gradersPage(report: GradersReport): string {
  const { version, createdAt, command } = report;
  const made = factsOf('', [
    ['command', command],
    ['made', `${createdAt} by gemm-paranoia ${version}`],
  ]);
  const figure = html`<section id="cost"><h2>Cost against what is caught</h2>${htmlFigures([[costFigure(report)]])}</section>`;
  const [heat, ...others] = tablesOf(report).map(
    (table) => html`<section><h2>${oneLine(table.title)}</h2>${htmlTable(table)}</section>`,
  );
  const head = html`<h1>${TITLE}</h1>${headOf(report).map((line) => html`<p>${oneLine(line)}</p>`)}${htmlTable(made)}`;
  return frame(TITLE, html`${shapeDefinitions()}${head}<main id="main">${heat}${figure}${others}</main>`)
    .text;
}
