import type { Results, WaiverResult } from '../../../gate/results.ts';
import { counted } from '../../numbers.ts';
import { describeWaiver } from '../../standing.ts';
import { html } from '../markup.ts';
import type { Section } from '../section.ts';
import { table } from '../table.ts';
import { name, sentence } from '../text.ts';

const MOST_ROWS = 40;

const CLASSES: Readonly<Record<WaiverResult['state'], string>> = {
  used: 'waived',
  unused: 'fail',
  expired: 'fail',
  idle: 'note',
};

/** The waivers of the config: what became of each, for which cases, why and until when. */
export function waiversSection({ waivers = [] }: Results): Section | undefined {
  if (waivers.length === 0) return undefined;
  const columns = ['state', 'cases', 'fail', 'reason'].map((heading) => ({ heading }));
  const rows = waivers.slice(0, MOST_ROWS).map((waiver) => ({
    cells: [
      html`<b class="${CLASSES[waiver.state]}">${waiver.state}</b>`,
      html`<code>${sentence(waiver.case)}</code>`,
      name(describeWaiver(waiver)),
      sentence(waiver.reason),
    ],
  }));
  const left = waivers.length - rows.length;
  const more =
    left > 0 ? html`<p class="note">${counted(left, 'more waiver')} in the raw data.</p>` : undefined;
  const note = html`<p>Failures that are known and let through until a date. A waiver that has expired or that no failure needs fails the gate; one of which too few cases were run to tell is idle.</p>`;
  return { id: 'waivers', title: 'Waivers', body: html`${note}${table(columns, rows)}${more}` };
}
