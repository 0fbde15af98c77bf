import { html } from '../../report/html/markup.ts';
import { formatCount } from '../../report/numbers.ts';
import type { Atlas } from '../devices.ts';
import { cellTable } from './cell-rows.ts';
import { environmentsTable } from './environments.ts';
import { failingOf, failingTable } from './failing.ts';
import { filters } from './filters.ts';
import { matrixOf } from './matrix.ts';
import { page } from './page.ts';
import { type EntryFileName, runsTable } from './runs.ts';

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
