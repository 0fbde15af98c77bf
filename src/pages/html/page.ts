import { hueNumbers, shapeDefinitions } from '../../report/html/figures/palette.ts';
import {
  countMarkupBytes,
  html,
  type Markup,
  renderSection,
  type Section,
} from '../../report/html/markup.ts';
import type { Results } from '../../run/results.ts';
import { seriesNames, seriesOf, shortName } from '../figures/series.ts';
import { renderPage } from './frame.ts';
import { casesSection } from './sections/cases.ts';
import { failuresSection } from './sections/failures.ts';
import { errorMaps, errorsByLevels, errorsBySize, histograms, speedAgainstBits } from './sections/figures.ts';
import { gridSection } from './sections/grid.ts';
import { head } from './sections/head.ts';
import { linkTo } from './sections/links.ts';
import {
  byKernel,
  changesSection,
  deviceSection,
  inconclusiveSection,
  inspectionsSection,
  runSection,
  studySection,
  waiversSection,
} from './sections/tables.ts';

/** The content of a report besides the results. */
export interface ReportOptions {
  /** An earlier run to compare with. */
  readonly against?: Results | undefined;
  /** The path of the results file relative to the report; undefined where it may not lie there. */
  readonly raw?: string | undefined;
  /** Reasons to doubt the results, a sentence each. */
  readonly doubts?: readonly string[];
  /** The outcome, in a sentence. @defaultValue with the exit code */
  readonly lead?: string;
  /** Size limit in bytes. @defaultValue {@link LARGEST_REPORT} */
  readonly largest?: number;
}

/** Default size limit of a report in bytes, whatever its results hold. */
export const LARGEST_REPORT = 299_500;
/** Size limit of a report with all cases, in bytes: enough for every case of ten thousand. */
export const LARGEST_WITH_ALL = 998_000;
/** Bytes that are reserved for the cases. */
const FOR_CASES = 60_000;
const FOR_NAVIGATION = 1_500;
/** Bytes around the rows of the list of cases: its header, and the section around its body. */
const AROUND_CASES = 3_000;

export interface ReportPart extends Pick<Section, 'id' | 'title'> {
  readonly markup: Markup;
}

/** The content of a report: the top, and the parts below it. */
export interface ReportParts {
  readonly top: Markup;
  readonly parts: readonly ReportPart[];
}

/** Renders the results as one self-contained HTML file: verdict, failures, figures, and as many cases as fit. */
export function htmlReport(results: Results, options: ReportOptions = {}): string {
  const { top, parts } = reportParts(results, options);
  return renderPage(
    `${results.verdict}: ${shortName(results.adapter.name)}`,
    html`${top}${navigation(parts)}<main id="main">${parts.map(({ markup }) => markup)}</main>`,
  ).text;
}

/** Renders the links to the parts of a report. */
export const navigation = (parts: readonly Pick<Section, 'id' | 'title'>[]): Markup =>
  html`<nav aria-label="Parts of the report">${parts.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>`;

/** Renders the parts of a report, for use in another page. */
export function reportParts(results: Results, options: ReportOptions = {}): ReportParts {
  const { raw, doubts = [], largest = LARGEST_REPORT, lead } = options;
  const top = html`${shapeDefinitions()}${head(results, doubts, lead)}`;
  const used = countMarkupBytes(top) + countMarkupBytes(renderPage('', html``)) + FOR_NAVIGATION;
  const everything = new Set(results.cases.keys());
  const kept = withinLimit(sectionsOf(results, options, everything), largest - used - FOR_CASES, raw);
  const room =
    largest - used - kept.reduce((sum, section) => sum + countMarkupBytes(renderSection(section)), 0);
  const { section, shown } = casesSection(results, raw, room - AROUND_CASES);
  // Links lead only to cases that are shown. Removed links make the page smaller.
  const linked = shown.size === everything.size ? kept : relinked(kept, results, shown);
  const all = [...linked, section];
  return { top, parts: all.map((section) => ({ ...section, markup: renderSection(section) })) };
}

/** Returns the sections without the list of cases, the most important first. */
function sectionsOf(
  results: Results,
  { against, raw }: ReportOptions,
  shown: ReadonlySet<number>,
): Section[] {
  const series = seriesOf(results.cases);
  const look = { seriesOf: series, hues: hueNumbers(seriesNames(results.cases, series)) };
  const [failures, grid] = linkingSections(results, shown);
  return [
    failures,
    changesSection(results, against),
    studySection(results.study),
    inconclusiveSection(results),
    grid,
    waiversSection(results),
    inspectionsSection(results),
    byKernel(results),
    errorsBySize(results, look),
    errorsByLevels(results, look),
    histograms(results),
    speedAgainstBits(results, look),
    errorMaps(results),
    runSection(results, raw),
    deviceSection(results),
  ].filter((section) => section !== undefined);
}

const linkingSections = (results: Results, shown: ReadonlySet<number>) =>
  [failuresSection(results, shown), gridSection(results, shown)] as const;

function relinked(kept: readonly Kept[], results: Results, shown: ReadonlySet<number>): Section[] {
  const again = new Map(
    linkingSections(results, shown).flatMap((one) => (one === undefined ? [] : [[one.id, one] as const])),
  );
  return kept.map((section) => (section.isLeftOut === true ? section : (again.get(section.id) ?? section)));
}

/** Returns the sections. A section without room is replaced by a sentence. */
function withinLimit(sections: readonly Section[], room: number, raw: string | undefined): Kept[] {
  return sections.map((section) => {
    const size = countMarkupBytes(renderSection(section));
    if (size <= room) {
      room -= size;
      return section;
    }
    const body = html`<p>This part is omitted to keep the page small: ${linkTo(raw)} has its data.</p>`;
    return { ...section, body, isLeftOut: true };
  });
}

/** A section, or the sentence that replaces it. */
interface Kept extends Section {
  readonly isLeftOut?: boolean;
}
