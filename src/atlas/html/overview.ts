import { group } from 'd3-array';
import { html, type Markup } from '../../report/html/markup.ts';
import type { Section } from '../../report/html/section.ts';
import { counted } from '../../report/numbers.ts';
import { type Cell, findingsIn } from '../cells.ts';
import type { Atlas } from '../devices.ts';
import { deviceKey } from '../place.ts';
import { cellTable } from './cell-rows.ts';
import { cellLink, devicePage, kernelPage } from './links.ts';
import { page } from './page.ts';
import { type FileOf, runsTable } from './runs.ts';
import { bitsSaid, findingSaid, name, sentence, titleOf, verdictMark } from './words.ts';

/** The first page: every device and kernel at a glance, a list that is filtered, and the data. */
export function overviewPage(atlas: Atlas, fileOf: FileOf): string {
  const { devices, kernels, cells, entries } = atlas;
  const found = cells.reduce((sum, cell) => sum + findingsIn(cell), 0);
  const lead = html`What ${counted(entries.length, 'run')} of the gate say${entries.length === 1 ? 's' : ''} of ${counted(kernels.length, 'kernel')} on ${counted(devices.length, 'device')}: ${counted(found, 'finding')}.`;
  return page({ title: 'The atlas', kind: html`gemm-paranoia · accuracy of matrix products`, lead }, [
    { id: 'grid', title: 'Devices and kernels', body: html`${filters(cells)}${gridOf(atlas)}` },
    { id: 'cells', title: 'Every kernel in every place', body: listOf(cells) },
    findingsSection(cells),
    devicesSection(atlas),
    { id: 'runs', title: 'Runs and their data', body: runsTable(entries, fileOf) },
  ]);
}

const EXPLAINED =
  'Bits are the significant bits of the least accurate entry beside |A||B|, of random inputs. A verdict is the worst of all runs of a kernel in a place: no number here is a mean of runs.';

const listOf = (cells: readonly Cell[]): Markup =>
  html`${cellTable(cells, 'Every kernel in every place', { attributes: html` id="cell-table"` })}<p class="note">${EXPLAINED}</p>`;

/** Longer menus are no help: the text field finds the rest. */
const MOST_OPTIONS = 200;

/** The controls; hidden until the script that they need runs. */
function filters(cells: readonly Cell[]): Markup {
  const distinct = (values: readonly string[]) => [...new Set(values)].sort().slice(0, MOST_OPTIONS);
  const menu = (key: string, values: readonly string[]) =>
    html`<label>${key} <select name="${key}"><option value="">all${distinct(values).map((value) => html`<option>${value}`)}</select></label>`;
  return html`<form id="filters" role="search" hidden>${menu(
    'device',
    cells.map(({ place }) => name(place.device)),
  )}${menu(
    'implementation',
    cells.map(({ place }) => name(place.implementation)),
  )}${menu(
    'kernel',
    cells.map(({ kernel }) => name(kernel)),
  )}${menu(
    'verdict',
    cells.map(({ verdict }) => verdict),
  )}${menu(
    'finding',
    cells.flatMap(({ kinds }) => kinds.map(name)),
  )}<label>text <input name="text" type="search" autocomplete="off" spellcheck="false"></label><button type="reset">Show all</button><output></output></form>`;
}

/** Kernels down, places across: a place is a device, and its drivers and implementations where it has several. */
function gridOf({ devices, cells }: Atlas): Markup {
  const places = devices.flatMap((device) =>
    device.environments.map((environment) => ({ device, environment, key: device.environments.length > 1 })),
  );
  const rows = [
    ...group(cells, ({ kernel, precision }) => JSON.stringify([kernel, precision])).values(),
  ].sort(([x], [y]) => (titleOf(x) < titleOf(y) ? -1 : 1));
  const head = places.map(
    ({ device, environment, key }) =>
      html`<th scope="col"><a href="${devicePage(device.slug)}">${name(device.name)}</a>${key ? html`<small>${name(environment.implementation)}, ${name(environment.driver)}</small>` : undefined}`,
  );
  const body = rows.map((row) => {
    const own = places.map(({ device, environment: { driver, implementation } }) =>
      row.find(
        ({ place }) =>
          deviceKey(place.device) === deviceKey(device.name) &&
          place.driver === driver &&
          place.implementation === implementation,
      ),
    );
    return html`<tr><th scope="row" title="${titleOf(row[0])}">${titleOf(row[0])}${own.map((cell) => html`<td>${cell && linkOf(cell)}`)}
`;
  });
  return html`<p class="note">A verdict, the fewest significant bits (where some cases fail, in brackets of those that pass), and how many findings there are; each leads to all that is known of it.</p><div class="scroll" tabindex="0"><table class="matrix"><caption class="unseen">Kernels by device</caption><thead><tr><th scope="col">kernel${head}<tbody>${body}</table></div>`;
}

function linkOf(cell: Cell): Markup {
  const found = findingsIn(cell);
  const more = found === 0 ? undefined : html` <small>${counted(found, 'finding')}</small>`;
  const { device, implementation } = cell.place;
  return html`<a href="${cellLink(cell)}" data-cell="${cell.slug}" aria-label="${titleOf(cell)} on ${name(device)}, ${name(implementation)}: ${cell.verdict}, ${bitsSaid(cell)} bits, ${counted(found, 'finding')}">${verdictMark(cell)} ${shortBits(cell)}${more}</a>`;
}

const shortBits = ({ bits, passingBits }: Cell): string => {
  const said = bitsSaid({ bits, passingBits: undefined });
  return passingBits === undefined
    ? said
    : `${said} (${bitsSaid({ bits: passingBits, passingBits: undefined })})`;
};

/** Most findings that the first page tells in full. */
const MOST_FINDINGS = 200;

function findingsSection(cells: readonly Cell[]): Section {
  const all = cells.flatMap((cell) => [
    ...cell.findings.map((finding) => ({ cell, says: findingSaid(finding) })),
    ...cell.disproved.map((says) => ({ cell, says })),
    ...(cell.disagreements.length === 0
      ? []
      : [{ cell, says: `runs of it say different things of ${counted(cell.disagreements.length, 'case')}` }]),
  ]);
  const items = all
    .slice(0, MOST_FINDINGS)
    .map(
      ({ cell, says }) =>
        html`<li><a href="${cellLink(cell)}">${titleOf(cell)}</a> on ${name(cell.place.device)}: ${sentence(says)}`,
    );
  const body =
    items.length === 0 ? html`<p>No kernel fails here.</p>` : html`<ul class="reasons">${items}</ul>`;
  return { id: 'findings', title: `Findings (${all.length})`, body };
}

const devicesSection = ({ devices, kernels }: Atlas): Section => ({
  id: 'pages',
  title: 'A page of each',
  body: html`<h3>Devices</h3><ul>${devices.map(
    ({ slug, name: text, cells }) =>
      html`<li><a href="${devicePage(slug)}">${name(text)}</a> <small>${counted(cells.length, 'kernel')}</small>`,
  )}</ul><h3>Kernels</h3><ul class="kernels">${kernels.map(
    ({ slug, name: text, cells }) =>
      html`<li><a href="${kernelPage(slug)}">${name(text)}</a> <small>${counted(cells.length, 'place')}</small>`,
  )}</ul>`,
  folded: true,
});
