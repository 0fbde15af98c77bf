import { html, type Markup } from '../../report/html/markup.ts';
import { type HtmlRow, scrollingTable } from '../../report/html/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf } from '../../report/table.ts';
import type { AtlasCell } from '../cells.ts';
import type { KernelView } from '../devices.ts';
import { type BitsGroup, type BitsGroups, equalBits } from '../equal-bits.ts';
import { cellTable } from './cell-rows.ts';
import { failingOf, failingTable } from './failing.ts';
import { cellLink } from './links.ts';
import { page } from './page.ts';
import { shortenName, shortenSentence } from './words.ts';

/** Returns the page of a kernel on all devices. */
export function kernelView({ name: kernel, cells }: KernelView): string {
  const failing = failingOf(cells);
  const bits = equalBits(cells);
  const kind = html`<a href="index.html">The atlas</a> · kernel`;
  const lead = html`Tested on ${formatCount(cells.length, 'platform')}. It ${failing.length === 0 ? 'passes on all' : `does not pass on ${failing.length}`}.`;
  return page({ title: shortenName(kernel), kind, lead }, [
    { id: 'findings', title: `Not passing (${failing.length})`, body: failingTable(failing) },
    {
      id: 'places',
      title: 'Platforms',
      body: cellTable(cells, 'Platforms of this kernel'),
    },
    ...(bits.length === 0 ? [] : [{ id: 'bits', title: 'Same bits', body: bitsBody(bits) }]),
  ]);
}

/** Renders the tables of the platforms that give the same bits, one for each precision. */
const bitsBody = (all: readonly BitsGroups[]): Markup =>
  html`<p class="note">Platforms of one row gave the same bits for the same operands in all cases that they share.</p>${all.map(tableOf)}`;

function tableOf({ precision, groups }: BitsGroups): Markup {
  const columns = [
    ...columnsOf('text', 'same bits'),
    ...columnsOf('number', 'cases compared'),
    ...columnsOf('text', 'differs from the first row'),
  ];
  const table = scrollingTable(columns, groups.map(rowOf), {
    tall: true,
    caption: html`<caption class="unseen">Platforms with the same bits in ${shortenName(precision)}</caption>`,
  });
  return html`<h3>${shortenName(precision)}</h3>${table}`;
}

function rowOf({ cells, compared, differing }: BitsGroup, at: number): HtmlRow {
  const [first] = cells;
  return {
    cells: [
      html`${cells.map(platform)}`,
      compared === 0 ? '–' : compared,
      differing === undefined
        ? at === 0
          ? ''
          : 'no case in common'
        : html`${differing.count} of ${formatCount(differing.of, 'case')}, such as <a href="${cellLink(first)}"><code>${shortenSentence(differing.example)}</code></a>`,
    ],
  };
}

const platform = (cell: AtlasCell): Markup => {
  const { device, driver, implementation } = cell.place;
  return html`<div><a href="${cellLink(cell)}">${shortenName(device)}</a><small>${shortenName(implementation)}, ${shortenName(driver)}</small></div>`;
};
