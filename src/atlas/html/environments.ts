import { html, type Markup } from '../../report/html/markup.ts';
import { type HtmlRow, scrollingTable } from '../../report/html/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { columnsOf } from '../../report/table.ts';
import { changesOf, type PlatformChanges } from '../changes.ts';
import type { AtlasDevice, DevicePlatform } from '../devices.ts';
import { changeLink, devicePage } from './links.ts';
import { dayOf, shortenName, verdictMarkOf } from './words.ts';

/**
 * Returns the table of drivers and implementations of each device: what was run there, what fails, and what changed since the row above.
 */
export function environmentsTable(devices: readonly AtlasDevice[]): Markup {
  const columns = [
    ...columnsOf('text', 'device', 'implementation and driver'),
    ...columnsOf('number', 'kernels', 'failing', 'inconclusive'),
    ...columnsOf('text', 'changes from the row above', 'latest run'),
  ];
  return scrollingTable(columns, devices.flatMap(rowsOf), {
    attributes: html` id="device-table"`,
    tall: true,
    caption: html`<caption class="unseen">Devices, their drivers and implementations</caption>`,
  });
}

function rowsOf(device: AtlasDevice): HtmlRow[] {
  const changes = changesOf(device.environments);
  return device.environments.map((one, at) => ({
    cells: [
      at === 0
        ? html`<a href="${devicePage(device.slug)}">${shortenName(device.name)}</a>`
        : html`<span class="unseen">${shortenName(device.name)}</span>`,
      html`${shortenName(one.implementation)}<small>${shortenName(one.driver)}</small>`,
      one.cells.length,
      ...[countOf(one, 'fail'), countOf(one, 'inconclusive')],
      at === 0
        ? ''
        : html`<a href="${changeLink(device.slug, changes[at - 1])}">${changedSaid(changes[at - 1])}</a>`,
      html`<span class="day">${dayOf(one.latest)}</span>`,
    ],
  }));
}

function countOf({ cells }: DevicePlatform, verdict: 'fail' | 'inconclusive'): Markup {
  const count = cells.filter((cell) => cell.verdict === verdict).length;
  return count === 0 ? html`<span class="faint">0</span>` : verdictMarkOf(verdict, String(count));
}

/** Formats changes: "3 answers about its arithmetic, 2 of 43 kernels". */
function changedSaid({ arithmetic, differing, common }: PlatformChanges): string {
  const said = [
    ...(arithmetic.length === 0 ? [] : [`${formatCount(arithmetic.length, 'answer')} about its arithmetic`]),
    ...(differing === 0 ? [] : [`${differing} of ${formatCount(common, 'kernel')}`]),
  ];
  if (said.length > 0) return said.join(', ');
  return common === 0 ? 'no kernel was run with both' : `none in ${formatCount(common, 'kernel')}`;
}
