const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
const NARROW = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303f\uff01-\uff60])$/u;

/** How many columns of a terminal the text takes; colours take none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text.replace(ESCAPES, '')) {
    width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  }
  return width;
}

/** The text, cut to a number of columns; it must hold no colours. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A column of a table: its heading, whether it is text (aligned left; numbers are aligned right). */
export interface Column {
  readonly heading: string;
  readonly text?: boolean;
}

/** A cell: what it says, and how to colour it once it is padded. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

const GAP = '  ';
const LEAST_FIRST = 12;

/**
 * Rows under headings, in aligned columns. A table wider than `width` gets a narrower first column.
 * @param paintHeading colours the headings.
 */
export function columnsOf(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  paintHeading: (text: string) => string,
): string[] {
  const say = (cell: Cell) => (typeof cell === 'string' ? cell : cell.text);
  const widths = columns.map(({ heading }, c) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(say(row[c]))), displayWidth(heading)),
  );
  const excess = widths.reduce((sum, w) => sum + w, GAP.length * (columns.length - 1)) - width;
  if (excess > 0) widths[0] = Math.min(widths[0], Math.max(LEAST_FIRST, widths[0] - excess));
  const pad = (text: string, c: number) => {
    const shown = c === 0 ? cut(text, widths[0]) : text;
    const fill = ' '.repeat(widths[c] - displayWidth(shown));
    return columns[c].text === true ? shown + fill : fill + shown;
  };
  const line = (cells: readonly string[]) => cells.join(GAP).trimEnd();
  return [
    line(columns.map(({ heading }, c) => paintHeading(pad(heading, c)))),
    ...rows.map((row) =>
      line(row.map((cell, c) => (typeof cell === 'string' ? pad(cell, c) : cell.paint(pad(cell.text, c))))),
    ),
  ];
}

/** The text broken into lines of at most `width` columns at spaces; words that are longer stay whole. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [''];
    for (const word of paragraph.trim().split(/\s+/)) {
      const last = lines[lines.length - 1];
      const longer = last === '' ? word : `${last} ${word}`;
      if (last === '' || displayWidth(longer) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}
