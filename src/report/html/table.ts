import { type Content, html, Markup } from './markup.ts';

/** A column of a table. */
export interface Column {
  readonly heading: string;
  /** Printed small below the heading. */
  readonly unit?: string;
  /** Numbers are aligned right. */
  readonly number?: boolean;
}

/** A row: its cells, and the attributes of the row where it has any. */
export interface Row {
  readonly cells: readonly Content[];
  readonly attributes?: Markup;
}

/**
 * A table that scrolls by itself where it is wider than the page. Cells and rows are not closed: HTML does not ask
 * for it, and it is a third of the size of a long table.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (Row | Markup)[],
  attributes?: Markup,
): Markup {
  const numbers = columns.flatMap(({ number }, at) => (number ? [`n${at + 1}`] : [])).join(' ');
  const head = columns.map(
    ({ heading, unit }) =>
      html`<th scope="col">${heading}${unit === undefined ? undefined : html`<small>${unit}</small>`}`,
  );
  return html`<div class="scroll"${TABBABLE}><table class="${numbers}"${attributes}><thead><tr>${head}<tbody>${rows.map((row) => (row instanceof Markup ? row : tableRow(row)))}</table></div>`;
}

// A part that scrolls must be reachable by keyboard.
const TABBABLE = html` tabindex="0"`;

/** A row of {@link table}. */
export function tableRow({ cells, attributes }: Row): Markup {
  return html`<tr${attributes}>${cells.map((cell) => html`<td>${cell}`)}
`;
}

/** Most columns that {@link table} aligns. */
export const MOST_COLUMNS = 14;

/** Names and values, one below the other. */
export function facts(pairs: readonly (readonly [string, Content])[]): Markup {
  return html`<dl>${pairs.map(([term, value]) => html`<div><dt>${term}<dd>${value}</div>`)}</dl>`;
}
