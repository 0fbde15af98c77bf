import { html } from '../../report/html/markup.ts';
import { counted } from '../../report/numbers.ts';
import type { KernelView } from '../devices.ts';
import { cellTable } from './cell-rows.ts';
import { failingOf, failingTable } from './failing.ts';
import { page } from './page.ts';
import { name } from './words.ts';

/** The page of a kernel on all devices. */
export function kernelView({ name: kernel, cells }: KernelView): string {
  const failing = failingOf(cells);
  const kind = html`<a href="index.html">The atlas</a> · a kernel`;
  const lead = html`In ${counted(cells.length, 'place')}; ${failing.length === 0 ? 'it passes in all' : `it does not pass in ${failing.length}`}.`;
  return page({ title: name(kernel), kind, lead }, [
    { id: 'findings', title: `What does not pass (${failing.length})`, body: failingTable(failing) },
    {
      id: 'places',
      title: 'Where it was run',
      body: cellTable(cells, 'Places of this kernel'),
    },
  ]);
}
