import { html } from '../../report/html/markup.ts';
import { formatCount } from '../../report/numbers.ts';
import type { KernelView } from '../devices.ts';
import { equalBits } from '../equal-bits.ts';
import { bitsBody } from './bits.ts';
import { cellTable } from './cell-rows.ts';
import { failingOf, failingTable } from './failing.ts';
import { page } from './page.ts';
import { shortenName } from './words.ts';

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
