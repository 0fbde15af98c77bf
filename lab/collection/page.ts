import { toOneLine } from '../../src/base/printable.ts';
import { classicalRank, origins } from '../../src/collection/collected.ts';
import { renderPage } from '../../src/pages/html/frame.ts';
import { htmlFigures } from '../../src/report/html/figure.ts';
import { shapeDefinitions } from '../../src/report/html/figures/palette.ts';
import { html, type Markup } from '../../src/report/html/markup.ts';
import { htmlCell, htmlTable, noteOf, scrollingTable } from '../../src/report/html/table.ts';
import { markdownCode, markdownSection, plainText } from '../../src/report/markdown/table.ts';
import { makeFactsTable, type Table } from '../../src/report/table.ts';
import type { CollectionReport, TableReport } from './report.ts';
import { COLLECTION_SCRIPT, COLLECTION_SCRIPT_HASH } from './script.ts';
import {
  basesTable,
  costsTable,
  frontFigure,
  frontNames,
  inputsTable,
  scalingTable,
  sizesTable,
  sourcesTable,
} from './section.ts';

const TITLE = 'The accuracy cost of fast matrix multiplication';

const STYLE = `
#picks{display:flex;flex-wrap:wrap;gap:8px 20px;align-items:center;font-size:14px;margin:12px 0}#picks[hidden],tr[hidden]{display:none}
#costs-table td:first-child{min-width:20ch}#costs-table thead button{font:inherit;color:inherit;background:none;border:0;padding:0;cursor:pointer;text-align:inherit}
#costs-table thead button:hover{text-decoration:underline}#costs-table [aria-sort=ascending] button::after{content:' ↑'}#costs-table [aria-sort=descending] button::after{content:' ↓'}`;

/** The introduction to the tables. */
function headOf({ counts, options }: CollectionReport): string[] {
  const of = Object.entries(counts.byOrigin).map(([origin, count]) => `${count} ${origin}`);
  return [
    `${counts.tables} tables of fast algorithms (${of.join(', ')}), each checked by Brent's equations in exact arithmetic. ${counts.inequivalent} of the fast ones that are not composed are inequivalent under exchange of the roles of A, B and C, order of blocks and signs. By the ranks of their sums, at least ${counts.inAnyBasis} of these differ in every basis.`,
    `${counts.dyadic} have dyadic factors, and ${counts.measured} of these were measured. The CPU runs the plan steps in binary32, rounded to nearest; devices give the same bits. Cases: n near ${options.sizes.join(' and ')}, up to ${options.levels} levels, ${options.inputs.join(', ')}, ${options.replicates} pairs of operands each. Bits lost are relative to the classical product of the same operands.`,
    `Origins: ${Object.entries(origins)
      .map(([name, what]) => `${name}, ${what}`)
      .join('; ')}.`,
  ];
}

const otherTables = (report: CollectionReport): Table[] => [
  inputsTable(report, 'lostInMean'),
  inputsTable(report, 'lostAtMost'),
  sizesTable(report),
  scalingTable(report),
  basesTable(report),
  sourcesTable(report),
];

/** Formats the report in GitHub's Markdown. */
export function collectionMarkdown(report: CollectionReport): string {
  const { command, version, createdAt } = report;
  const made = `${markdownCode(command)}, gemm-paranoia ${plainText(version)}, ${plainText(createdAt)}`;
  const tables = [costsTable(report), ...otherTables(report)].map((table) => markdownSection(table, 2));
  return `${[`# ${TITLE}`, ...headOf(report).map(plainText), made, ...tables].join('\n\n')}\n`;
}

/** Formats the report as one self-contained HTML file. */
export function collectionPage(report: CollectionReport): string {
  const { version, createdAt, command, tables } = report;
  const made = makeFactsTable('', [
    ['command', command],
    ['created', `${createdAt} by gemm-paranoia ${version}`],
  ]);
  const figures = html`<section id="fronts"><h2>Cost against accuracy</h2>${htmlFigures([
    [frontFigure(report, 'exponent', 'first'), frontFigure(report, 'exponent', 'perDoubling')],
    [frontFigure(report, 'additions', 'first'), frontFigure(report, 'additions', 'perDoubling')],
  ])}</section>`;
  const others = otherTables(report).map(
    (table) =>
      html`<section><details class="part"><summary><h2>${toOneLine(table.title)}</h2></summary>${htmlTable(table)}</details></section>`,
  );
  const head = html`<h1>${TITLE}</h1>${headOf(report).map((line) => html`<p>${toOneLine(line, 2000)}</p>`)}${htmlTable(made)}`;
  const own = { script: COLLECTION_SCRIPT, hash: COLLECTION_SCRIPT_HASH, style: STYLE };
  const costsSection = html`<section id="costs"><h2>Cost of each table</h2>${form(tables)}${sortable(report)}</section>`;
  return renderPage(
    TITLE,
    html`${shapeDefinitions()}${head}<main id="main">${figures}${costsSection}${others}</main>`,
    own,
  ).text;
}

/** The table of costs, with the data that the form filters by. */
function sortable(report: CollectionReport): Markup {
  const { columns, rows, note } = costsTable(report);
  const onFront = frontNames(report.tables);
  const lines = rows.map((row, at) => {
    const { name, origin, base } = report.tables[at];
    const front = onFront.has(name) ? 'yes' : 'no';
    return {
      cells: row.map((cell, column) => htmlCell(cell, columns[column])),
      attributes: html` data-origin="${origin}" data-form="${formKey(base)}" data-front="${front}"`,
    };
  });
  return html`${scrollingTable(columns, lines, { attributes: html` id="costs-table"` })}${noteOf(note)}`;
}

const formKey = ({ m, k, n }: TableReport['base']): string => [m, k, n].sort((x, y) => x - y).join('×');

/** The form that filters the table; it works only with script. */
function form(tables: readonly TableReport[]): Markup {
  const choices = (all: readonly string[]) => all.map((one) => html`<option>${one}`);
  const bases = [...tables].sort((x, y) => classicalOf(x) - classicalOf(y)).map(({ base }) => formKey(base));
  return html`<form id="picks" hidden><label>Blocks <select name="form"><option value="">any${choices([...new Set(bases)])}</select></label>
<label>Origin <select name="origin"><option value="">any${choices([...new Set(tables.map(({ origin }) => origin))])}</select></label>
<label><input type="checkbox" name="front"> on a front</label> <label>Text <input name="text" type="search" size="16"></label> <output></output></form>`;
}

const classicalOf = ({ base }: TableReport): number => classicalRank({ base });
