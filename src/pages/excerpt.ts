import { fromJsonNumber } from '../base/numbers.ts';
import type { Excerpt } from '../evidence/case-result.ts';
import { formatCompact } from '../report/numbers.ts';
import { displayWidth } from '../report/terminal/text.ts';
import { sizeOfCase } from './case-words.ts';

/** The sign for an entry that was not compared. */
const UNKNOWN = '?';
/** The difference of two NaN or two equal infinities, which have no number as difference. */
const SAME = 'same';
/** The gap between columns, and the gap between found, expected and difference. */
const [GAP, WIDE_GAP] = [' ', '   '];

/** Sizes of an excerpt, the largest first: columns, and significant digits. */
const TRIED: readonly (readonly [columns: number, digits: number])[] = [
  ...[9, 7, 6, 5, 4, 3].map((digits) => [5, digits] as const),
  ...[4, 3].map((digits) => [4, digits] as const),
  ...[6, 5, 4, 3].map((digits) => [3, digits] as const),
  ...[6, 4, 3].map((digits) => [2, digits] as const),
  ...[9, 17, 6, 3].map((digits) => [1, digits] as const),
];

/** Renders the excerpt of a case, if it has one, within a width in columns of text. */
export const excerptText = (
  { case: text, excerpt }: { readonly case: string; readonly excerpt?: Excerpt | undefined },
  width: number,
): string[] => (excerpt === undefined ? [] : excerptLines(excerpt, sizeOfCase(text), width));

export interface ProductSize {
  readonly m: number;
  readonly n: number;
}

/** Renders found, expected and difference side by side, with as many columns and digits as fit. */
export function excerptLines(excerpt: Excerpt, whole: ProductSize, width: number): string[] {
  const tried = TRIED.map(([columns, digits]) => [cropped(excerpt, columns), digits] as const);
  const telling = tried.filter(([part, digits]) => tellsApart(part, digits));
  let lines: string[] = [];
  for (const [part, digits] of telling.length === 0 ? tried : telling) {
    lines = laidOut(part, whole, digits);
    if (lines.every((line) => displayWidth(line) <= width)) break;
  }
  return lines;
}

/** True if so many digits show that some entry found is not the expected one. */
const tellsApart = ({ found, expected }: Excerpt, digits: number): boolean =>
  found.some((row, i) =>
    row.some((entry, j) => {
      const other = expected[i][j];
      const isKnown = entry !== null && other !== null;
      return isKnown && formatCompact(entry, digits) !== formatCompact(other, digits);
    }),
  );

/** Reduces an excerpt to fewer columns, with the column of the largest difference among them. */
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
      const size = entry === null ? 0 : Math.abs(fromJsonNumber(entry));
      // NaN counts as the largest difference.
      if (size <= most) continue;
      [most, column] = [Number.isNaN(size) ? Number.POSITIVE_INFINITY : size, at];
    }
  }
  return column;
}

type Entries = Excerpt['expected'];

function laidOut(excerpt: Excerpt, whole: ProductSize, digits: number): string[] {
  const said = (entries: Entries) =>
    entries.map((row) => row.map((entry) => (entry === null ? UNKNOWN : formatCompact(entry, digits))));
  const rounded = excerpt.difference.map((row) => row.map((entry) => fewDigits(entry, digits)));
  const differences = said(rounded).map((row, i) =>
    row.map((text, j) => (isSameSpecial(excerpt.found[i][j], excerpt.expected[i][j]) ? SAME : text)),
  );
  const blocks = [
    block(`found${placeIn(excerpt, whole)}`, said(excerpt.found)),
    block('expected', said(excerpt.expected)),
    block('difference', differences),
  ];
  return blocks[0].map((_, line) =>
    blocks
      .map((lines) => lines[line])
      .join(WIDE_GAP)
      .trimEnd(),
  );
}

/** Returns fewer digits: three digits suffice for a difference that is no whole number. */
const fewDigits = (entry: Entries[number][number], digits: number): Entries[number][number] =>
  typeof entry !== 'number' || Number.isInteger(entry)
    ? entry
    : Number(entry.toPrecision(Math.min(3, digits)));

/** True for two NaN and for two equal infinities. JSON holds them as text. */
const isSameSpecial = (found: Entries[number][number], expected: Entries[number][number]): boolean =>
  typeof found === 'string' && found === expected;

/** Names consecutive rows or columns, as "rows 3–5". */
const formatSpan = (name: string, first: number, count: number): string =>
  count === 1 ? `${name} ${first}` : `${name}s ${first}–${first + count - 1}`;

/** Describes the position of an excerpt, unless it is the whole product. */
function placeIn({ row, col, found }: Excerpt, { m, n }: ProductSize): string {
  const product = m > 0 && row >= m ? ` in product ${Math.floor(row / m)}` : '';
  const isWhole = product === '' && found.length === m && found[0].length === n;
  const top = m > 0 ? row % m : row;
  const rows = formatSpan('row', top, found.length);
  return isWhole ? '' : `${product}, ${rows}, ${formatSpan('column', col, found[0].length)}`;
}

/** Renders a title above rows of words in aligned columns, all lines of one width. */
function block(title: string, rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at]))));
  const lines = rows.map((row) =>
    row.map((word, at) => ' '.repeat(widths[at] - displayWidth(word)) + word).join(GAP),
  );
  const width = Math.max(displayWidth(title), displayWidth(lines[0]));
  return [title, ...lines].map((line) => line + ' '.repeat(width - displayWidth(line)));
}
