import { html, type Markup } from '../../report/html/markup.ts';
import { type Row, scrollingTable } from '../../report/html/table.ts';
import { percent, short } from '../../report/numbers.ts';
import type { Column } from '../../report/table.ts';
import type { Cell } from '../cells.ts';
import { cellLink } from './links.ts';
import { bitsSaid, dayOf, findingsSaid, gradeSaid, name, titleOf, verdictMark } from './words.ts';

/** The table of cells, a row each. */
export function cellTable(
  cells: readonly Cell[],
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

function rowOf(cell: Cell): Row {
  const { place, counts, sigmas, used, runs, kinds, slug, kernel, verdict } = cell;
  const { device, driver, implementation } = place;
  return {
    attributes: html` data-cell="${slug}" data-device="${name(device)}" data-driver="${name(driver)}" data-implementation="${name(implementation)}" data-kernel="${name(kernel)}" data-verdict="${verdict}" data-finding="${kinds.map(name).join('\n')}"`,
    cells: [
      html`<a href="${cellLink(cell)}">${titleOf(cell)}</a>`,
      ...[verdictMark(cell), bitsSaid(cell), gradeSaid(cell), findingsSaid(cell)],
      ...[name(device), name(driver), name(implementation), counts.cases, short(sigmas), percent(used)],
      html`<span class="day">${dayOf(runs[0].entry.run.createdAt)}</span>`,
    ],
  };
}
