import { html } from '../../report/html/markup.ts';
import { counted } from '../../report/numbers.ts';
import type { KernelView } from '../devices.ts';
import { cellTable } from './cell-rows.ts';
import { cellLink } from './links.ts';
import { page } from './page.ts';
import { findingSaid, name, sentence } from './words.ts';

/** A kernel on all devices. */
export function kernelView({ name: kernel, cells }: KernelView): string {
  const found = cells.flatMap((cell) => [
    ...cell.findings.map((finding) => ({ cell, says: findingSaid(finding) })),
    ...cell.disproved.map((says) => ({ cell, says })),
  ]);
  const items = found.map(
    ({ cell, says }) =>
      html`<li><a href="${cellLink(cell)}">${name(cell.place.device)}, ${name(cell.place.implementation)}</a>: ${sentence(says)}`,
  );
  const kind = html`<a href="index.html">The atlas</a> · a kernel`;
  const lead = html`In ${counted(cells.length, 'place')}, with ${counted(found.length, 'finding')}.`;
  return page({ title: name(kernel), kind, lead }, [
    {
      id: 'places',
      title: 'Where it was run',
      body: cellTable(cells, 'Places of this kernel', { known: 'kernel' }),
    },
    {
      id: 'findings',
      title: 'Findings',
      body: items.length === 0 ? html`<p>None.</p>` : html`<ul class="reasons">${items}</ul>`,
    },
  ]);
}
