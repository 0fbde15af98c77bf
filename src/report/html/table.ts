import { oneLine } from '../../base/printable.ts';
import { type Cell, type Column, isFacts, sayCell, type Table, toneOf, underCell } from '../table.ts';
import { type Content, html, joined, type Markup } from './markup.ts';

/** No text of a file may fill the page: real ones are far shorter. */
const LONGEST = 600;

/** A row that is markup already: its cells, and the attributes of the row where it has any. */
export interface Row {
  readonly cells: readonly Content[];
  readonly attributes?: Markup;
}

/** What a cell says, with its tone as a class. */
export function htmlCell(cell: Cell, { is }: Column = { heading: '', is: 'text' }): Markup {
  const [said, tone, under] = [oneLine(sayCell(cell), LONGEST), toneOf(cell), underCell(cell)];
  const text = is === 'code' ? html`<code>${said}</code>` : html`${said}`;
  const shown = tone === undefined ? text : html`<b class="${tone}">${text}</b>`;
  return under === undefined ? shown : html`${shown}<small>${clauses(oneLine(under, LONGEST))}</small>`;
}

/** Text that is broken into lines after commas alone: not within numbers. */
function clauses(text: string): Markup {
  const parts = text.split(', ');
  return joined(
    parts.map((part, at) => html`<span>${part}${at < parts.length - 1 ? ',' : ''}</span>`),
    ' ',
  );
}

// A part that scrolls must be reachable by keyboard.
const TABBABLE = html` tabindex="0"`;

/** What a table has beside its rows. */
interface Around {
  readonly attributes?: Markup;
  readonly caption?: Markup | undefined;
  /** Whether it may be so long that it scrolls in a window of its own. */
  readonly tall?: boolean;
}

/**
 * Rows of markup in a table that scrolls by itself where it is wider than the page. Cells and rows are not closed: HTML
 * does not ask for it, and it is a third of the size of a long table.
 */
export function scrollingTable(
  columns: readonly Column[],
  rows: readonly (Row | Markup)[],
  { attributes, caption, tall = false }: Around = {},
): Markup {
  const numbers = columns.flatMap(({ is }, at) => (is === 'number' ? [`n${at + 1}`] : [])).join(' ');
  const head = columns.map(({ heading }) => html`<th scope="col">${oneLine(heading, LONGEST)}`);
  const body = rows.map((row) => ('cells' in row ? tableRow(row) : row));
  const table = html`<table class="${numbers}"${attributes}>${caption}<thead><tr>${head}<tbody>${body}</table>`;
  return scrolling(table, tall);
}

/** What scrolls by itself where it is wider than the page, or, where it is `tall`, longer than a window of its own. */
export const scrolling = (table: Markup, tall: boolean): Markup =>
  html`<div class="scroll${tall ? ' tall' : ''}"${TABBABLE}>${table}</div>`;

/** A row of {@link scrollingTable}. */
export function tableRow({ cells, attributes }: Row): Markup {
  return html`<tr${attributes}>${cells.map((cell) => html`<td>${cell}`)}
`;
}

/** Most columns that are aligned. */
export const MOST_COLUMNS = 16;

/** A caption: for ears alone where a heading above says it to eyes. */
const captionOf = (text: string, shown: boolean): Markup | undefined =>
  text === ''
    ? undefined
    : html`<caption${shown ? undefined : html` class="unseen"`}>${oneLine(text, LONGEST)}</caption>`;

/** A table with its note and its title above it. */
export const captionedTable = (table: Table): Markup => htmlTable(table, true);

/** A table with its note, its title for ears alone; names and values one below the other where it has no headings. */
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

/** A note, a line a paragraph. */
export function noteOf(note: string | undefined): Markup[] {
  const lines = (note ?? '').split('\n').filter((line) => line !== '');
  return lines.map((line) => html`<p class="note">${oneLine(line, LONGEST)}</p>`);
}
