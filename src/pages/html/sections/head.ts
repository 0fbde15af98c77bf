import { oneLine } from '../../../base/printable.ts';
import { html, type Markup } from '../../../report/html/markup.ts';
import { htmlCell, htmlTable } from '../../../report/html/table.ts';
import { counted } from '../../../report/numbers.ts';
import type { Results } from '../../../run/results.ts';
import { runFacts } from '../../sections/device.ts';
import { markOf } from '../../standing.ts';
import { tallySentence, verdictSentence } from '../../verdict.ts';

/** A link to a file that lies beside the report. */
export function linkTo(file: string): Markup {
  return html`<a href="${encodeURIComponent(file)}">${file}</a>`;
}

const LONGEST = 600;
const MOST_NOTES = 20;

/** What the report is about, and what came of it. */
export function head(results: Results, raw: string): Markup {
  const lead = `${verdictSentence(results)} ${tallySentence(results)}`;
  return html`<header><p class="kind">gemm-paranoia · accuracy of matrix products</p><h1>${htmlCell(markOf(results.verdict))}</h1><p class="lead">${oneLine(lead, 2 * LONGEST)}</p>${htmlTable(runFacts(results))}<p class="note">Raw data: ${linkTo(raw)}</p>${noteList(results)}</header>`;
}

function noteList({ notes = [] }: Results): Markup | undefined {
  if (notes.length === 0) return undefined;
  const left = notes.length - MOST_NOTES;
  const more = left > 0 ? html`<li>${counted(left, 'more note')} in the raw data.` : undefined;
  return html`<ul class="note">${notes.slice(0, MOST_NOTES).map((note) => html`<li>${oneLine(note, LONGEST)}`)}${more}</ul>`;
}
