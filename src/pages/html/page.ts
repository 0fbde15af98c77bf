import { shapeDefinitions } from '../../report/html/figures/palette.ts';
import { bytes, html, type Markup } from '../../report/html/markup.ts';
import type { Section } from '../../report/html/section.ts';
import type { Results } from '../../run/results.ts';
import { name } from '../figures/said.ts';
import { frame } from './frame.ts';
import { casesSection } from './sections/cases.ts';
import { errorMaps, errorsByLevels, errorsBySize, histograms, speedAgainstBits } from './sections/figures.ts';
import { head, linkTo } from './sections/head.ts';
import {
  byKernel,
  changesSection,
  deviceSection,
  failuresSection,
  inspectionsSection,
  studySection,
  waiversSection,
} from './sections/tables.ts';

/** What a report shows besides the results. */
export interface ReportOptions {
  /** An earlier run to compare with. */
  readonly against?: Results | undefined;
  /** Where the results file lies, as seen from the report. */
  readonly raw: string;
}

/** No report is larger, in bytes, whatever its results hold. */
export const LARGEST_REPORT = 298_000;
/** Room that is kept for the cases. */
const FOR_CASES = 40_000;
const FOR_NAVIGATION = 2_000;
/** What the list of cases has above its rows. */
const AROUND_CASES = 4_000;

/** The results as one HTML file that needs no other: figures, tables, and every case there is room for. */
export function htmlReport(results: Results, { against, raw }: ReportOptions): string {
  const top = html`${shapeDefinitions()}${head(results, raw)}`;
  const sections = [
    failuresSection(results),
    byKernel(results),
    waiversSection(results),
    inspectionsSection(results),
    changesSection(results, against),
    errorsBySize(results),
    errorsByLevels(results),
    errorMaps(results),
    histograms(results),
    speedAgainstBits(results),
    studySection(results.study),
    deviceSection(results),
  ].filter((section) => section !== undefined);
  const used = bytes(top) + bytes(frame('', html``)) + FOR_NAVIGATION;
  const kept = withinLimit(sections, LARGEST_REPORT - used - FOR_CASES, raw);
  const room = LARGEST_REPORT - used - kept.reduce((sum, section) => sum + bytes(drawn(section)), 0);
  const shown = [...kept, casesSection(results, raw, room - AROUND_CASES)];
  const navigation = html`<nav>${shown.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>`;
  return frame(
    `${results.verdict}: ${name(results.adapter.name)}`,
    html`${top}${navigation}<main>${shown.map(drawn)}</main>`,
  ).text;
}

/** The sections, those for which there is no room with a sentence in their place. */
function withinLimit(sections: readonly Section[], room: number, raw: string): Section[] {
  return sections.map((section) => {
    const size = bytes(drawn(section));
    if (size <= room) {
      room -= size;
      return section;
    }
    return {
      ...section,
      body: html`<p>This part is left out to keep the page small: ${linkTo(raw)} has its data.</p>`,
    };
  });
}

function drawn({ id, title, body }: Section): Markup {
  return html`<section id="${id}"><h2>${title}</h2>${body}</section>
`;
}
