import { fromReal } from '../base/real.ts';
import type { Excerpt } from '../evidence/case-result.ts';
import { compact } from '../report/numbers.ts';
import { displayWidth } from '../report/terminal/width.ts';
import { sizeOfCase } from './case-words.ts';

/** What stands in the place of an entry that was not compared, and of no difference. */
const [UNKNOWN, EQUAL] = ['?', '·'];
/** Between columns, and between what was found, expected and their difference. */
const [GAP, WIDE_GAP] = [' ', '   '];

/** How much is shown, most first: columns, and significant digits. */
const TRIED: readonly (readonly [columns: number, digits: number])[] = [
  ...[9, 7, 6, 5, 4, 3].map((digits) => [5, digits] as const),
  ...[4, 3].map((digits) => [4, digits] as const),
  ...[6, 5, 4, 3].map((digits) => [3, digits] as const),
  ...[6, 4, 3].map((digits) => [2, digits] as const),
  ...[9, 6, 3].map((digits) => [1, digits] as const),
];

/** What a case shows of its entries, if anything, in so many columns of text. */
export const excerptText = (
  { case: text, excerpt }: { readonly case: string; readonly excerpt?: Excerpt | undefined },
  width: number,
): string[] => (excerpt === undefined ? [] : excerptLines(excerpt, sizeOfCase(text), width));

/** The size of the product that an excerpt is of. */
export interface Whole {
  readonly m: number;
  readonly n: number;
}

/** What was found, what was expected and how they differ, side by side; as many columns and digits as there is room for. */
export function excerptLines(excerpt: Excerpt, whole: Whole, width: number): string[] {
  const ways = TRIED.map(
    ([columns, digits]) =>
      () =>
        laidOut(cropped(excerpt, columns), whole, digits),
  );
  let lines: string[] = [];
  for (const way of ways) {
    lines = way();
    if (lines.every((line) => displayWidth(line) <= width)) break;
  }
  return lines;
}

/** So many of the columns, the one of the largest difference among them. */
function cropped(excerpt: Excerpt, columns: number): Excerpt {
  const all = excerpt.found[0].length;
  if (all <= columns) return excerpt;
  const first = Math.max(0, Math.min(worstColumn(excerpt) - Math.floor(columns / 2), all - columns));
  const some = <T>(rows: readonly (readonly T[])[]) => rows.map((row) => row.slice(first, first + columns));
  const { row, col, found, expected, difference } = excerpt;
  return {
    ...{ row, col: col + first },
    ...{ found: some(found), expected: some(expected), difference: some(difference) },
  };
}

function worstColumn({ difference }: Excerpt): number {
  let [most, column] = [-1, 0];
  for (const row of difference) {
    for (const [at, entry] of row.entries()) {
      const size = entry === null ? 0 : Math.abs(fromReal(entry));
      // What is not a number is as wrong as can be.
      if (size <= most) continue;
      [most, column] = [Number.isNaN(size) ? Number.POSITIVE_INFINITY : size, at];
    }
  }
  return column;
}

type Entries = Excerpt['expected'];

function laidOut(excerpt: Excerpt, whole: Whole, digits: number): string[] {
  const said = (entries: Entries, equal: string) =>
    entries.map((row) =>
      row.map((entry) => (entry === null ? UNKNOWN : entry === 0 ? equal : compact(entry, digits))),
    );
  const rounded = excerpt.difference.map((row) => row.map((entry) => fewDigits(entry, digits)));
  const blocks = [
    block(`found${placeIn(excerpt, whole)}`, said(excerpt.found, '0')),
    block('expected', said(excerpt.expected, '0')),
    block('difference', said(rounded, EQUAL)),
  ];
  return blocks[0].map((_, line) =>
    blocks
      .map((lines) => lines[line])
      .join(WIDE_GAP)
      .trimEnd(),
  );
}

/** Of a difference that is no whole number, three digits say enough. */
const fewDigits = (entry: Entries[number][number], digits: number): Entries[number][number] =>
  typeof entry !== 'number' || Number.isInteger(entry)
    ? entry
    : Number(entry.toPrecision(Math.min(3, digits)));

/** Where an excerpt begins, unless it is all there is. */
function placeIn({ row, col, found }: Excerpt, { m, n }: Whole): string {
  const product = m > 0 && row >= m ? ` in product ${Math.floor(row / m)}` : '';
  const isWhole = product === '' && found.length === m && found[0].length === n;
  return isWhole ? '' : `${product}, from (${m > 0 ? row % m : row}, ${col}) on`;
}

/** A title above rows of words of aligned columns, all lines of one width. */
function block(title: string, rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at]))));
  const lines = rows.map((row) =>
    row.map((word, at) => ' '.repeat(widths[at] - displayWidth(word)) + word).join(GAP),
  );
  const width = Math.max(displayWidth(title), displayWidth(lines[0]));
  return [title, ...lines].map((line) => line + ' '.repeat(width - displayWidth(line)));
}
