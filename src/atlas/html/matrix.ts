import { group } from 'd3-array';
import { html, type Markup } from '../../report/html/markup.ts';
import { wrapScrolling } from '../../report/html/table.ts';
import { formatCount } from '../../report/numbers.ts';
import { type AtlasCell, findingsIn } from '../cells.ts';
import type { AtlasDevice, DevicePlatform } from '../devices.ts';
import { slugOf } from '../place.ts';
import { cellLink, devicePage, kernelPage } from './links.ts';
import { formatBits, kernelTitle, shortenName, verdictMarkOf } from './words.ts';

/** Returns the matrix of kernels (rows) and places (columns). A place is a device, with driver and implementation if it has several. */
export function matrixOf(devices: readonly AtlasDevice[]): Markup {
  const places = devices.flatMap((device) =>
    device.environments.map((environment) => ({ device, environment })),
  );
  const cells = devices.flatMap((device) => device.cells);
  const rows = [...group(cells, kernelTitle).entries()].sort(([x], [y]) => (x < y ? -1 : 1));
  const body = rows.map(([title, row]) => {
    const own = places.map(({ environment }) => environment.cells.find((cell) => row.includes(cell)));
    return html`<tr><th scope="row"><a href="${kernelPage(slugOf(row[0].kernel))}">${title}</a>${own.map((cell) => html`<td>${cell && linkOf(cell)}`)}
`;
  });
  const table = html`<table class="matrix"><caption class="unseen">Kernels by platform</caption><thead><tr><th scope="col">kernel${places.map((one) => headOf(one, devices.length === 1))}<tbody>${body}</table>`;
  return html`<p class="note">✓ pass, ✗ fail, ? inconclusive, then the fewest significant bits. Where cases fail, brackets hold the fewest bits of those that pass. Each cell links to its results.</p>${wrapScrolling(table, true)}`;
}

interface Column {
  readonly device: AtlasDevice;
  readonly environment: DevicePlatform;
}

/** The heading of a column; the page of a single device omits its name. */
function headOf({ device, environment }: Column, isOnly: boolean): Markup {
  const place = `${shortenName(environment.implementation)}, ${shortenName(environment.driver)}`;
  if (isOnly) return html`<th scope="col">${place}`;
  const which = device.environments.length > 1 ? html`<small>${place}</small>` : undefined;
  return html`<th scope="col"><a href="${devicePage(device.slug)}">${shortenName(device.name)}</a>${which}`;
}

const SIGNS = { pass: '✓', fail: '✗', inconclusive: '?' } as const;

function linkOf(cell: AtlasCell): Markup {
  const { device, implementation } = cell.place;
  const label = `${kernelTitle(cell)} on ${shortenName(device)}, ${shortenName(implementation)}: ${cell.verdict}, ${formatBits(cell)} bits, ${formatCount(findingsIn(cell), 'finding')}`;
  return html`<a href="${cellLink(cell)}" data-cell="${cell.slug}" aria-label="${label}">${verdictMarkOf(cell.verdict, SIGNS[cell.verdict])} ${shortBits(cell)}</a>`;
}

const shortBits = ({ bits, passingBits }: AtlasCell): string => {
  const said = formatBits({ bits, passingBits: undefined });
  return passingBits === undefined
    ? said
    : `${said} (${formatBits({ bits: passingBits, passingBits: undefined })})`;
};
