import type { BenchReport } from '../../../bench/report.ts';
import { tablesOf } from '../../../bench/tables.ts';
import { frame } from '../frame.ts';
import { html } from '../markup.ts';
import { facts, table } from '../table.ts';
import { name, paragraph } from '../text.ts';
import { legend } from './legend.ts';
import { algorithmNumbers, shapeDefinitions } from './palette.ts';
import { panels } from './panel.ts';
import { paretoFields, paretoPanel } from './pareto.ts';

const MOST_PANELS = 24;

/** Speed against bits lost, and every table of a run, as one HTML file that needs no other. */
export function paretoPage(report: BenchReport): string {
  const { title, adapter, measurements, notes, study, timing, version, createdAt, command } = report;
  const algorithms = algorithmNumbers(measurements.map(({ algorithm }) => algorithm));
  const fields = paretoFields(measurements).slice(0, MOST_PANELS);
  const front = fields.some(({ points }) => points.filter(({ onFront }) => onFront).length > 1);
  const about = facts([
    ['Adapter', `${adapter.name} (${adapter.kind}; ${adapter.chosenBecause})`],
    ['Driver', `${adapter.backend}, ${adapter.driver}, ${adapter.dawn}`],
    ['Timestamps', report.timestamps ? 'of the device' : 'none: wall clock'],
    ['Trials', `${timing.trials} after ${timing.warmUp} to warm up`],
    ['Version', `${version}, ${createdAt}`],
    ['Command', html`<code>${command}</code>`],
  ]);
  const figure =
    fields.length === 0
      ? undefined
      : html`<section id="pareto"><h2>Speed against bits lost</h2><p>Each mark is a kernel; its number, its levels of recursion. Upwards it is faster than the fastest classical product, to the right it loses bits of its worst entry. The front joins those than which no other is both as fast and as accurate.</p><div class="figure">${legend({ algorithms, front })}${panels(fields.map((field) => paretoPanel(field, algorithms)))}</div></section>`;
  const tables = tablesOf(report).map(
    ({ title, headings, rows, numbers, note }) =>
      html`<section><h2>${title}</h2>${note === undefined ? undefined : html`<p>${note}</p>`}${table(
        headings.map((heading, at) => ({ heading, number: at >= numbers })),
        rows.map((cells) => ({ cells })),
      )}</section>`,
  );
  const head = html`<h1>${title}</h1>${study && html`<p class="lead">${paragraph(study.source)}</p>`}${notes.map((note) => html`<p>${paragraph(note)}</p>`)}${about}`;
  return frame(name(title), html`${shapeDefinitions()}${head}<main>${figure}${tables}</main>`).text;
}
