import { html } from '../../report/html/markup.ts';
import { counted } from '../../report/numbers.ts';
import type { Atlas } from '../devices.ts';
import { cellTable } from './cell-rows.ts';
import { environmentsTable } from './environments.ts';
import { failingOf, failingTable } from './failing.ts';
import { filters } from './filters.ts';
import { matrixOf } from './matrix.ts';
import { page } from './page.ts';
import { type FileOf, runsTable } from './runs.ts';

/** The first page: devices and what changed on them, what fails, every kernel on each, and the data. */
export function overviewPage(atlas: Atlas, fileOf: FileOf): string {
  const { devices, kernels, cells, entries } = atlas;
  const failing = failingOf(cells);
  const lead = html`What ${counted(entries.length, 'run')} of the gate say${entries.length === 1 ? 's' : ''} of ${counted(kernels.length, 'kernel')} on ${counted(devices.length, 'device')}.`;
  return page({ title: 'The atlas', kind: html`gemm-paranoia · accuracy of matrix products`, lead }, [
    { id: 'devices', title: 'Devices, and what changed between drivers', body: environmentsTable(devices) },
    {
      id: 'findings',
      title: `What does not pass (${failing.length})`,
      body: html`${filters(cells)}${failingTable(failing)}`,
    },
    { id: 'grid', title: `Kernels on devices (${kernels.length})`, body: matrixOf(devices) },
    {
      id: 'cells',
      title: `Every kernel in every place (${cells.length})`,
      body: html`${cellTable(cells, 'Every kernel in every place', { attributes: html` id="cell-table"` })}<p class="note">${EXPLAINED}</p>`,
      folded: true,
    },
    {
      id: 'runs',
      title: `Runs and their data (${entries.length})`,
      body: runsTable(entries, fileOf),
      folded: true,
    },
  ]);
}

const EXPLAINED =
  'Bits are the significant bits of the least accurate entry beside |A||B|, of random inputs. A verdict is the worst of all runs of a kernel in a place: no number here is a mean of runs.';
