import { toOneLine } from '../../base/printable.ts';
import { type Column, sayCell, type Table, type TableCell, type Tone, toneOf, underCell } from '../table.ts';

const LONGEST_TEXT = 300;
const LONGEST_NOTE = 2000;
// Longest command. Commands are copied, and so are cut only where they cannot be real.
const LONGEST_CODE = 2000;

// As entities these characters are never markup, neither in a table's cell nor in a code element.
const MARKUP = /[&<>|`*_~[\]\\$@]/g;

const asEntities = (text: string): string =>
  text.replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`);

/** Renders text without markup, on one line. */
export const plainText = (text: string): string => asEntities(toOneLine(text, LONGEST_TEXT));

/** Renders text to be copied. */
export const markdownCode = (text: string): string =>
  `<code>${asEntities(toOneLine(text, LONGEST_CODE))}</code>`;

/** Tones printed in bold, since GitHub's Markdown has no colors. */
const LOUD: readonly (Tone | undefined)[] = ['bad', 'unsure'];

function cellText(cell: TableCell, { is }: Column): string {
  const said = sayCell(cell);
  if (said === '') return '';
  const text = is === 'code' ? markdownCode(said) : plainText(said);
  const under = underCell(cell);
  const loud = LOUD.includes(toneOf(cell)) ? `**${text}**` : text;
  return under === undefined ? loud : `${loud}<br>${plainText(under)}`;
}

/** Renders a table in GitHub's Markdown with its note, without its title. */
export function markdownTable({ columns, rows, note }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const list = (note ?? '').split('\n').filter((text) => text !== '');
  return [
    [
      line(columns.map(({ heading }) => plainText(heading))),
      line(columns.map(({ is }) => (is === 'number' ? '---:' : '---'))),
      ...rows.map((row) => line(row.map((cell, at) => cellText(cell, columns[at])))),
    ].join('\n'),
    ...list.map((text) => asEntities(toOneLine(text, LONGEST_NOTE))),
  ].join('\n\n');
}

/** Renders a table under its title, a heading of a level. */
export const markdownSection = (table: Table, level: number): string =>
  `${'#'.repeat(level)} ${plainText(table.title)}\n\n${markdownTable(table)}`;
