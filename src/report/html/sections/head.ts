import type { Results } from '../../../gate/results.ts';
import { counted } from '../../numbers.ts';
import type { Standing } from '../../standing.ts';
import { summarise } from '../../summary.ts';
import { tallySentence, verdictSentence } from '../../verdict.ts';
import { html, type Markup } from '../markup.ts';
import type { Section } from '../section.ts';
import { facts, table } from '../table.ts';
import { fixed, name, percent, sentence } from '../text.ts';

const SIGNS: Readonly<Record<Standing, string>> = { pass: '✓', fail: '✗', inconclusive: '?', waived: '~' };

/** A verdict as it is printed everywhere: sign and word, so that colour is never all there is. */
export function verdictMark(verdict: Standing): Markup {
  return html`<b class="${verdict}">${SIGNS[verdict]} ${verdict}</b>`;
}

/** A link to a file that lies beside the report. */
export function linkTo(file: string): Markup {
  return html`<a href="${encodeURIComponent(file)}">${file}</a>`;
}

/** What the report is about, and what came of it. */
export function head(results: Results, raw: string): Markup {
  const { adapter, verdict, version, command, createdAt, seed } = results;
  const about = facts([
    ['adapter', html`${name(adapter.name)} (${adapter.kind}, ${name(adapter.backend)})`],
    ['driver', name(adapter.driver)],
    ['fingerprint', html`<code>${name(adapter.id)}</code>`],
    ['command', html`<code>${sentence(command)}</code>`],
    ['made', html`<time>${name(createdAt)}</time> by gemm-paranoia ${name(version)}, seed ${seed}`],
    ['compared', sampling(results)],
    ['raw data', linkTo(raw)],
  ]);
  return html`<header><p class="kind">gemm-paranoia · accuracy of matrix products</p><h1>${verdictMark(verdict)}</h1><p class="lead">${sentence(verdictSentence(results))} ${sentence(tallySentence(results))}</p>${about}${noteList(results)}</header>`;
}

const MOST_NOTES = 20;

function noteList({ notes = [] }: Results): Markup | undefined {
  if (notes.length === 0) return undefined;
  const left = notes.length - MOST_NOTES;
  const more = left > 0 ? html`<li>${counted(left, 'more note')} in the raw data.` : undefined;
  return html`<ul class="note">${notes.slice(0, MOST_NOTES).map((note) => html`<li>${sentence(note)}`)}${more}</ul>`;
}

function sampling({ cases }: Results): string {
  const sampled = cases.filter(({ checked = 1 }) => checked < 1);
  if (cases.length === 0) return 'no case was run';
  if (sampled.length === 0) return 'every entry of every product with the exact one';
  const least = sampled.reduce((share, { checked = 1 }) => Math.min(share, checked), 1);
  return `in ${counted(sampled.length, 'case')} of ${cases.length} a sample of the entries, the smallest ${Number((100 * least).toPrecision(2))} %; in the others all entries`;
}

const MOST_ROWS = 80;

/** A row for each kernel and number of levels. */
export function byKernel({ cases }: Results): Section | undefined {
  if (cases.length === 0) return undefined;
  const rows = summarise(cases);
  const anyWaived = rows.some(({ waived }) => waived > 0);
  const columns = [
    { heading: 'kernel' },
    ...['levels', 'cases', 'pass', 'fail'].map((heading) => ({ heading, number: true })),
    ...(anyWaived ? [{ heading: 'waived', number: true }] : []),
    { heading: 'inconclusive', number: true },
    { heading: 'worst error', unit: 'sigmas', number: true },
    { heading: 'of its bound', unit: '%', number: true },
    { heading: 'fewest', unit: 'bits', number: true },
  ];
  const shown = rows.slice(0, MOST_ROWS).map((row) => ({
    cells: [
      html`<code>${name(row.kernel)}</code>`,
      row.levels,
      row.cases,
      row.pass,
      row.fail === 0 ? 0 : html`<b class="fail">${row.fail}</b>`,
      ...(anyWaived ? [row.waived === 0 ? 0 : html`<b class="waived">${row.waived}</b>`] : []),
      row.inconclusive === 0 ? 0 : html`<b class="inconclusive">${row.inconclusive}</b>`,
      fixed(row.sigmas, 2),
      percent(row.used),
      fixed(row.bits, 1),
    ],
  }));
  const left = rows.length - shown.length;
  const more = left > 0 ? html`<p class="note">${counted(left, 'more row')} in the raw data.</p>` : undefined;
  const note = html`<p>The worst of each kernel's cases, at each number of levels. Sigmas count where rounding errors are random; more than 100 % of a bound would prove a defect; bits are those of the least accurate entry against |A||B|.</p>`;
  return { id: 'kernels', title: 'By kernel', body: html`${note}${table(columns, shown)}${more}` };
}
