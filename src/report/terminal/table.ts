import { toOneLine } from '../../base/printable.ts';
import { type Column, isFacts, sayCell, type Table, type TableCell, toneOf, underCell } from '../table.ts';
import { displayWidth, foldText, paintOf, type TerminalStyle, wrapText } from './text.ts';

const GAP = '  ';
/** Least width of a column of words, and largest word length that widens this minimum. */
const [LEAST, LONGEST_WORD] = [12, 24];

/**
 * Renders a table as lines of a terminal: title, headings, rows, note. If it is wider than the terminal, codes go to lines of their own
 * below their rows. Then words are broken into lines. At last columns go below one another, in blocks that each begin with the first
 * column.
 */
export function terminalTable(table: Table, look: TerminalStyle): string[] {
  const { title, note } = table;
  return [
    ...(title === '' ? [] : wrapText(toOneLine(title), look.width).map(look.colors.bold)),
    ...rowsOf(table, look),
    ...(note ?? '')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : wrapText(toOneLine(line), look.width)))
      .map(look.colors.dim),
  ];
}

/** Renders tables one below the other, as text, without empty tables. */
export function terminalTables(tables: readonly Table[], look: TerminalStyle): string {
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map((table) => `${terminalTable(table, look).join('\n')}\n`)
    .join('\n');
}

function rowsOf(table: Table, look: TerminalStyle): string[] {
  const all = table.columns.map((_, at) => at);
  const natural = all.map((at) => naturalWidth(table, at));
  const besides = all.filter((at) => table.columns[at].is !== 'code');
  const within = (shown: readonly number[]) => sum(shown.map((at) => natural[at])) <= look.width;
  const shown = within(all) || besides.length === 0 ? all : besides;
  const below = all.filter((at) => !shown.includes(at));
  const least = all.map((at) => leastWidth(table, at, natural[at]));
  const blocks = blocksOf(shown, least, look.width);
  return blocks.flatMap((block, at) =>
    blockLines(table, block, fittingWidths(block, { natural, least }, look.width), {
      look,
      below: at === blocks.length - 1 ? below : [],
    }),
  );
}

/** Divides columns into blocks that fit side by side. Each block begins with the first column. */
function blocksOf([first, ...others]: readonly number[], least: readonly number[], room: number): number[][] {
  const blocks = [[first]];
  for (const at of others) {
    const block = blocks[blocks.length - 1];
    if (block.length === 1 || sum([...block, at].map((one) => least[one])) <= room) block.push(at);
    else blocks.push([first, at]);
  }
  return blocks;
}

function blockLines(
  table: Table,
  shown: readonly number[],
  widths: readonly number[],
  { look, below }: { readonly look: TerminalStyle; readonly below: readonly number[] },
): string[] {
  const aligned = (cells: readonly TableCell[], paint?: (text: string) => string) =>
    alignedLines(table.columns, shown, widths, cells, look, paint);
  const headings = table.columns.map(({ heading }) => heading);
  return [
    ...(isFacts(table) ? [] : aligned(headings, look.colors.bold)),
    ...table.rows.flatMap((row) => [
      ...aligned(row),
      ...below.flatMap((at) => {
        const said = toOneLine(sayCell(row[at]));
        return said === '' ? [] : [`${GAP}${look.colors.dim(`${table.columns[at].heading}:`)} ${said}`];
      }),
    ]),
  ];
}

const sum = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + width, GAP.length * (widths.length - 1));

function naturalWidth({ columns, rows }: Table, at: number): number {
  return rows.reduce(
    (widest, row) =>
      Math.max(
        widest,
        displayWidth(toOneLine(sayCell(row[at]))),
        displayWidth(toOneLine(underCell(row[at]) ?? '')),
      ),
    displayWidth(columns[at].heading),
  );
}

/** Returns the least width of a column. A column that is not of words keeps its width. */
function leastWidth({ columns, rows }: Table, at: number, natural: number): number {
  if (columns[at].is !== 'text') return natural;
  const words = [columns[at].heading, ...rows.map((row) => sayCell(row[at]))].flatMap((text) =>
    toOneLine(text).split(/\s+/),
  );
  const longest = words.reduce((most, word) => Math.max(most, displayWidth(word)), 0);
  return Math.min(natural, Math.max(LEAST, Math.min(longest, LONGEST_WORD)));
}

/** Returns widths at which the shown columns fit. Columns of words are narrowed from the widest on, as far as allowed. */
function fittingWidths(
  shown: readonly number[],
  { natural, least }: { readonly natural: readonly number[]; readonly least: readonly number[] },
  room: number,
): number[] {
  const widths = [...natural];
  let excess = sum(shown.map((at) => natural[at])) - room;
  while (excess > 0) {
    const narrowing = shown.filter((at) => widths[at] > least[at]);
    if (narrowing.length === 0) break;
    widths[narrowing.reduce((a, b) => (widths[b] > widths[a] ? b : a))]--;
    excess--;
  }
  return widths;
}

function alignedLines(
  columns: readonly Column[],
  shown: readonly number[],
  widths: readonly number[],
  cells: readonly TableCell[],
  look: TerminalStyle,
  paint?: (text: string) => string,
): string[] {
  const folded = shown.map((at) =>
    [sayCell(cells[at]), underCell(cells[at]) ?? ''].flatMap((text, part) =>
      part === 1 && text === '' ? [] : foldText(toOneLine(text), widths[at]),
    ),
  );
  const height = Math.max(...folded.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    shown
      .map((at, place) => {
        const text = folded[place][line] ?? '';
        const fill = ' '.repeat(Math.max(0, widths[at] - displayWidth(text)));
        const painted = text === '' ? '' : (paint ?? paintOf(look, toneOf(cells[at])))(text);
        return columns[at].is === 'number' ? fill + painted : painted + fill;
      })
      .join(GAP)
      .trimEnd(),
  );
}
