import { toOneLine } from '../../base/printable.ts';
import { type Column, isFacts, sayCell, type Table, type TableCell, toneOf, underCell } from '../table.ts';
import { html, joinMarkup, type Markup, type MarkupContent } from './markup.ts';

/** Longest text of a cell, so that a file's text cannot fill the page. Real texts are far shorter. */
const LONGEST = 600;

/** A rendered row: its cells, and the attributes of the row where it has any. */
export interface HtmlRow {
  readonly cells: readonly MarkupContent[];
  readonly attributes?: Markup;
}

/** Renders a cell, with its tone as a class. */
export function htmlCell(cell: TableCell, { is }: Column = { heading: '', is: 'text' }): Markup {
  const [said, tone, under] = [toOneLine(sayCell(cell), LONGEST), toneOf(cell), underCell(cell)];
  const text = is === 'code' ? html`<code>${said}</code>` : html`${said}`;
  const shown = tone === undefined ? text : html`<b class="${tone}">${text}</b>`;
  return under === undefined ? shown : html`${shown}<small>${clauses(toOneLine(under, LONGEST))}</small>`;
}

/** Renders text that breaks into lines only after commas, and not within numbers. */
function clauses(text: string): Markup {
  const parts = text.split(', ');
  return joinMarkup(
    parts.map((part, at) => html`<span>${part}${at < parts.length - 1 ? ',' : ''}</span>`),
    ' ',
  );
}

// A part that scrolls must be reachable by keyboard.
const TABBABLE = html` tabindex="0"`;

/** The parts of a table beside its rows. */
interface Around {
  readonly attributes?: Markup;
  readonly caption?: Markup | undefined;
  /** True if the table may be so long that it scrolls in a window of its own. */
  readonly tall?: boolean;
}

/**
 * Renders rows of markup in a table that scrolls by itself where it is wider than the page. Cells and rows are not closed: HTML does not
 * require it, and it would take a third of the size of a long table.
 */
export function scrollingTable(
  columns: readonly Column[],
  rows: readonly (HtmlRow | Markup)[],
  { attributes, caption, tall = false }: Around = {},
): Markup {
  const numbers = columns.flatMap(({ is }, at) => (is === 'number' ? [`n${at + 1}`] : [])).join(' ');
  const head = columns.map(({ heading }) => html`<th scope="col">${toOneLine(heading, LONGEST)}`);
  const body = rows.map((row) => ('cells' in row ? tableRow(row) : row));
  const table = html`<table class="${numbers}"${attributes}>${caption}<thead><tr>${head}<tbody>${body}</table>`;
  return wrapScrolling(table, tall);
}

/** Wraps a table that scrolls by itself where it is wider than the page or, if `tall`, longer than a window of its own. */
export const wrapScrolling = (table: Markup, tall: boolean): Markup =>
  html`<div class="scroll${tall ? ' tall' : ''}"${TABBABLE}>${table}</div>`;

/** Renders a row of {@link scrollingTable}. */
export function tableRow({ cells, attributes }: HtmlRow): Markup {
  return html`<tr${attributes}>${cells.map((cell) => html`<td>${cell}`)}
`;
}

/** Most columns that the style aligns. */
export const MOST_COLUMNS = 16;

/** Renders a caption, for screen readers alone where a heading above shows it. */
const captionOf = (text: string, shown: boolean): Markup | undefined =>
  text === ''
    ? undefined
    : html`<caption${shown ? undefined : html` class="unseen"`}>${toOneLine(text, LONGEST)}</caption>`;

/** Renders a table with its note, and its title above it. */
export const captionedTable = (table: Table): Markup => htmlTable(table, true);

/** Renders a table with its note, and its title for screen readers alone. Without headings, names and values stand one below the other. */
export function htmlTable(table: Table, shown = false): Markup {
  const { title, columns, rows, note } = table;
  const cells = rows.map((row) => row.map((cell, at) => htmlCell(cell, columns[at])));
  const body = isFacts(table)
    ? html`<dl>${cells.map(([term, value]) => html`<div><dt>${term}<dd>${value}</div>`)}</dl>`
    : scrollingTable(
        columns,
        cells.map((row) => ({ cells: row })),
        { caption: captionOf(title, shown) },
      );
  return html`${body}${noteOf(note)}`;
}

/** Renders a note, a paragraph for each line. */
export function noteOf(note: string | undefined): Markup[] {
  const lines = (note ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => html`<p class="note">${toOneLine(line, LONGEST)}</p>`);
}
