import { html, type Markup } from '../../report/html/markup.ts';
import { type HtmlRow, scrollingTable } from '../../report/html/table.ts';
import { formatPercent, formatShort } from '../../report/numbers.ts';
import type { Column } from '../../report/table.ts';
import type { AtlasCell } from '../cells.ts';
import { cellLink } from './links.ts';
import {
  dayOf,
  formatBits,
  formatFindingCount,
  formatGrade,
  kernelTitle,
  shortenName,
  verdictMark,
} from './words.ts';

/** Returns the table of cells, a row each. */
export function cellTable(
  cells: readonly AtlasCell[],
  caption: string,
  { attributes }: { readonly attributes?: Markup } = {},
): Markup {
  const text = (heading: string): Column => ({ heading, is: 'text' });
  const number = (heading: string): Column => ({ heading, is: 'number' });
  const columns = [
    ...[text('kernel'), text('verdict'), text('bits'), text('grade'), number('findings')],
    ...[text('device'), text('driver'), text('implementation'), number('cases'), number('worst σ')],
    ...[number('share of bound'), text('latest run')],
  ];
  return scrollingTable(columns, cells.map(rowOf), {
    tall: true,
    caption: html`<caption class="unseen">${caption}</caption>`,
    ...(attributes === undefined ? {} : { attributes }),
  });
}

function rowOf(cell: AtlasCell): HtmlRow {
  const { place, counts, sigmas, used, runs, kinds, slug, kernel, verdict } = cell;
  const { device, driver, implementation } = place;
  return {
    attributes: html` data-cell="${slug}" data-device="${shortenName(device)}" data-driver="${shortenName(driver)}" data-implementation="${shortenName(implementation)}" data-kernel="${shortenName(kernel)}" data-verdict="${verdict}" data-finding="${kinds.map(shortenName).join('\n')}"`,
    cells: [
      html`<a href="${cellLink(cell)}">${kernelTitle(cell)}</a>`,
      ...[verdictMark(cell), formatBits(cell), formatGrade(cell), formatFindingCount(cell)],
      ...[
        shortenName(device),
        shortenName(driver),
        shortenName(implementation),
        counts.cases,
        formatShort(sigmas),
        formatPercent(used),
      ],
      html`<span class="day">${dayOf(runs[0].entry.run.createdAt)}</span>`,
    ],
  };
}
