import { toOneLine } from '../../../base/printable.ts';
import type { CaseResult } from '../../../evidence/case-result.ts';
import { BASE, CELL, type HeatMap, NEGATIVE, type ProductMaps } from '../../../evidence/heat-map.ts';
import { type HeatMapPicture, heatKey, heatPicture } from '../../../report/html/figures/cells.ts';
import { html, type Markup, type Section } from '../../../report/html/markup.ts';
import { captionedTable, htmlTable } from '../../../report/html/table.ts';
import { formatCount, formatExponent } from '../../../report/numbers.ts';
import { columnsOf, digitsCell, firstRows, type Table } from '../../../report/table.ts';
import type { Results } from '../../../run/results.ts';
import { caseInWords } from '../../case-words.ts';
import { excerptText } from '../../excerpt.ts';
import { decisiveChecks, type GroupView, listFailureGroups } from '../../failure.ts';
import { failureTable } from '../../sections/failures.ts';
import { renderCommand } from './links.ts';

const PARTS: readonly {
  key: keyof ProductMaps;
  title: string;
  before?: string;
  ramp: HeatMapPicture['ramp'];
}[] = [
  { key: 'a', title: 'A', ramp: 'values' },
  { key: 'b', title: 'B', before: '×', ramp: 'values' },
  { key: 'c', title: 'C, as found', before: '→', ramp: 'values' },
  { key: 'error', title: 'error of C', before: '≠', ramp: 'errors' },
];

/** Renders A times B, C, and its error, as pictures. */
export function picturesOf(maps: ProductMaps): Markup {
  const shown = PARTS.flatMap((part) => {
    const map = maps[part.key];
    return map === undefined ? [] : [{ ...part, map }];
  });
  const pictures = shown.map(({ title, before, ramp, map }) => {
    const sign =
      before === undefined ? undefined : html`<span class="sign" aria-hidden="true">${before}</span>`;
    return html`<div class="operand">${sign}${heatPicture(heatOf(map, title, ramp))}</div>`;
  });
  return html`<div class="heats">${pictures}</div><details class="numbers"><summary>Heat maps in numbers</summary>${captionedTable(
    tableOf(shown),
  )}</details>`;
}

function heatOf(
  { of, rows, cols, between, cells }: HeatMap,
  title: string,
  ramp: HeatMapPicture['ramp'],
): HeatMapPicture {
  const size = of.join('×');
  const range =
    between === undefined ? 'no finite nonzero entry' : between.map((x) => formatExponent(x)).join(' to ');
  const wrong = [...cells].filter((cell) => cell !== CELL.zero && cell !== CELL.unknown).length;
  const infinite = [...cells].filter((cell) => cell === CELL.notFinite).length;
  const negative = [...cells].filter((cell) => Number.parseInt(cell, BASE) > NEGATIVE).length;
  const says = `${title}, ${size}: ${wrong} of ${cells.length} cells are not 0, ${negative} negative, ${infinite} not finite; sizes ${range}`;
  const pixels = [...cells].map((cell) => Number.parseInt(cell, BASE));
  return { title: `${title} ${size}`, says, range, rows, cols, pixels, ramp };
}

function tableOf(parts: readonly { readonly title: string; readonly map: HeatMap }[]): Table {
  const rows = parts.map(({ title, map: { of, rows: down, cols, between, cells } }) => {
    const count = (wanted: string) => String([...cells].filter((cell) => cell === wanted).length);
    return [
      title,
      of.join('×'),
      `${down}×${cols}`,
      digitsCell(between?.[0]),
      digitsCell(between?.[1]),
      ...[CELL.zero, CELL.notFinite, CELL.unknown].map(count),
      String([...cells].filter((cell) => Number.parseInt(cell, BASE) > NEGATIVE).length),
    ];
  });
  const numbers = [
    'size',
    'cells',
    'smallest',
    'largest',
    'cells of 0',
    'not finite',
    'not compared',
    'negative',
  ];
  return {
    title: 'Each cell shows its entry of largest magnitude',
    columns: [...columnsOf('text', 'matrix'), ...columnsOf('number', ...numbers)],
    rows,
  };
}

/** Groups that are shown with pictures. Further groups are rows of a table. */
const MOST_CARDS = 6;
const MOST_ROWS = 120;
const MOST_CHECKS = 5;
const LONGEST = 600;
/** Width of excerpts in columns of text. */
const WIDTH = 100;

/** Renders the groups of failures: the smallest case of each, with pictures of its errors. */
export function failuresSection(results: Results, shown: ReadonlySet<number>): Section | undefined {
  const groups = listFailureGroups(results);
  if (groups.length === 0) return undefined;
  const [first, rest] = [groups.slice(0, MOST_CARDS), groups.slice(MOST_CARDS)];
  const places = new Map(results.cases.map((result, at) => [result, at]));
  const cards = first.map((group) => {
    const at = places.get(group.example);
    return cardOf(group, at !== undefined && shown.has(at) ? at : undefined);
  });
  const others =
    rest.length === 0
      ? undefined
      : html`<details><summary>${formatCount(rest.length, 'more failure')}</summary>${htmlTable(firstRows(failureTable(rest), MOST_ROWS))}</details>`;
  const isPictured = first.some(({ example, smaller }) => (smaller?.maps ?? example.maps) !== undefined);
  const key = isPictured ? heatKey() : undefined;
  return { id: 'failures', title: 'Failures', body: html`${cards}${key}${others}` };
}

/** A case of a group with its maps and excerpt. */
type Seen = Pick<CaseResult, 'case' | 'replay' | 'maps' | 'excerpt'>;

/** Renders the smallest case known to fail, and the case that it was shrunk from, if it was. */
function cardOf(group: GroupView, at: number | undefined): Markup {
  const { headline, example, smaller } = group;
  const open = at === undefined ? undefined : html` <a href="#c${at}">Open this case</a>`;
  const met = html`<div class="met">${seenOf(example)}<p><b class="bad">${failedChecks(example)}</b> ${toOneLine(example.reason, LONGEST)}${open}</p></div>`;
  const said = headline === undefined ? 'Replay:' : 'Replay the smallest:';
  const told =
    smaller === undefined
      ? html`${met}<p>${said} ${renderCommand(example.replay)}</p>`
      : html`${seenOf(smaller)}<p><b class="bad">${inWords(smaller)}:</b> ${toOneLine(smaller.reason, LONGEST)}</p><p>${said} ${renderCommand(smaller.replay)}</p><details><summary>Shrunk from a larger one, ${inWords(example)}</summary>${met}<p>Replay: ${renderCommand(example.replay)}</p></details>`;
  return html`<article class="failure"><h3>${toOneLine(headline ?? example.case, LONGEST)}</h3>${told}</article>`;
}

const inWords = ({ case: text }: Seen): string => toOneLine(caseInWords(text), LONGEST);

/** Renders a case's matrices as pictures, and its entries. */
const seenOf = (seen: Seen): Markup =>
  html`${seen.maps === undefined ? undefined : picturesOf(seen.maps)}${entriesOf(seen)}`;

/** Renders found, expected and difference around the worst entry. */
function entriesOf(seen: Seen): Markup | undefined {
  if (seen.excerpt === undefined) return undefined;
  const lines = excerptText(seen, WIDTH);
  return html`<pre class="entries" role="group" tabindex="0" aria-label="Entries of C around the worst">${lines.join('\n')}</pre>`;
}

/** Names the failed checks: "running-bound, sigma.". The reason states their values. */
function failedChecks(example: CaseResult): string {
  const failed = decisiveChecks(example).filter(({ status }) => status === 'fail');
  const names = failed.slice(0, MOST_CHECKS).map(({ name }) => name);
  return `${toOneLine(names.join(', '), LONGEST)}.`;
}
