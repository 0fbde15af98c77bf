import { html, type Markup } from '../../report/html/markup.ts';
import { formatCount } from '../../report/numbers.ts';
import type { AtlasCell } from '../cells.ts';
import type { Atlas } from '../devices.ts';
import {
  cellTable,
  type EntryFileName,
  environmentsTable,
  failingOf,
  failingTable,
  matrixOf,
  runsTable,
} from './lists.ts';
import { page } from './page.ts';
import { shortenName } from './words.ts';

/** Returns the first page: devices and what changed on them, what fails, every kernel on each, and the data. */
export function overviewPage(atlas: Atlas, fileOf: EntryFileName): string {
  const { devices, kernels, cells, entries } = atlas;
  const failing = failingOf(cells);
  const lead = html`Results of ${formatCount(entries.length, 'run')}: ${formatCount(kernels.length, 'kernel')} on ${formatCount(devices.length, 'device')}.`;
  return page({ title: 'The atlas', kind: html`gemm-paranoia · accuracy of matrix products`, lead }, [
    { id: 'devices', title: 'Devices and changes between drivers', body: environmentsTable(devices) },
    {
      id: 'findings',
      title: `Not passing (${failing.length})`,
      body: html`${filters(cells)}${failingTable(failing)}`,
    },
    { id: 'grid', title: `Kernels by platform (${kernels.length})`, body: matrixOf(devices) },
    {
      id: 'cells',
      title: `All results (${cells.length})`,
      body: html`${cellTable(cells, 'All results', { attributes: html` id="cell-table"` })}<p class="note">${EXPLAINED}</p>`,
      folded: true,
    },
    {
      id: 'runs',
      title: `Runs (${entries.length})`,
      body: runsTable(entries, fileOf),
      folded: true,
    },
  ]);
}

const EXPLAINED =
  'Bits are the significant bits of the least accurate entry relative to |A||B|, for random inputs. A verdict is the worst of all runs of a kernel on a platform. No number is a mean of runs.';

/** The most options of a menu; readers of longer lists use the text field. */
const MOST_OPTIONS = 200;

/** Returns the filter controls, hidden until their script runs. */
function filters(cells: readonly AtlasCell[]): Markup {
  const distinct = (values: readonly string[]) => [...new Set(values)].sort().slice(0, MOST_OPTIONS);
  const menu = (key: string, values: readonly string[]) =>
    html`<label>${key} <select name="${key}"><option value="">all${distinct(values).map((value) => html`<option>${value}`)}</select></label>`;
  const places = cells.map(({ place }) => place);
  const menus = [
    menu(
      'device',
      places.map(({ device }) => shortenName(device)),
    ),
    menu(
      'driver',
      places.map(({ driver }) => shortenName(driver)),
    ),
    menu(
      'implementation',
      places.map(({ implementation }) => shortenName(implementation)),
    ),
    menu(
      'kernel',
      cells.map(({ kernel }) => shortenName(kernel)),
    ),
    menu(
      'verdict',
      cells.map(({ verdict }) => verdict),
    ),
    menu(
      'finding',
      cells.flatMap(({ kinds }) => kinds.map(shortenName)),
    ),
  ];
  return html`<form id="filters" role="search" hidden>${menus}<label>text <input name="text" type="search" autocomplete="off" spellcheck="false"></label><p><button type="reset">Show all</button> <output></output></p></form>`;
}
