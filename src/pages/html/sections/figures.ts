import type { CaseResult } from '../../../evidence/case-result.ts';
import type { Figure } from '../../../report/figure.ts';
import { htmlFigures } from '../../../report/html/figure.ts';
import type { Hues } from '../../../report/html/figures/palette.ts';
import { countMarkupBytes, html, type Markup, type Section } from '../../../report/html/markup.ts';
import { htmlTable } from '../../../report/html/table.ts';
import { firstRows } from '../../../report/table.ts';
import type { Results } from '../../../run/results.ts';
import { errorByLevels, errorBySize } from '../../figures/error-by-size.ts';
import { errorMapFigure, histogramFigure } from '../../figures/error-map.ts';
import { figures30And31, publishedIn, withoutRepeats } from '../../figures/published.ts';
import {
  type CaseFamily,
  isOurs,
  listCaseFamilies,
  type SeriesName,
  shortName,
} from '../../figures/series.ts';
import { races, rateFields, rateFigure, speedFigure } from '../../figures/speed.ts';
import { growthTable } from '../../sections/growth.ts';
import { standingOf } from '../../standing.ts';

/** The series of cases and their colors, which all figures of a report share. */
export interface FigureStyle {
  readonly seriesOf: SeriesName;
  readonly hues: Hues;
}

const MOST_FAMILIES = 6;
const MOST_ROWS = 120;
// Size limit in bytes; the whole report must stay small.
const LARGEST_FIGURES = 110_000;

export function errorsBySize(all: Results, look: FigureStyle): Section | undefined {
  const results = withoutFailing(all);
  const { shown, left } = chosen(results);
  const grown = shown.filter(({ cases: [first, ...others] }) => others.some(({ n }) => n !== first.n));
  if (grown.length === 0) return undefined;
  const ours = results.cases.some(isOurs) ? figures30And31() : [];
  const printed = withoutRepeats([...publishedIn(results.study, results.cases), ...ours]);
  const note = html`<p>Errors of square products; each panel is one number of levels, and the panels of a row share their axes. A mark is the mean of the replicates; its bar spans the smallest to the largest. Bounds and expected errors refer to the largest error, and to rounding in the product alone. Errors against the ideal product also include the rounding of inputs. Without recursion all algorithms are the same. If the bounds or expected errors of all series agree, one line shows them. Thin lines in the first panels are fitted power laws. Below them are their slopes with 95 % intervals, compared with the slope of independent roundings.</p>`;
  const figures: Markup[] = [];
  let room = LARGEST_FIGURES;
  for (const [at, family] of grown.entries()) {
    // The table below has all slopes. A page of many families has no room for each twice.
    const growth = at === 0 ? results.growth : [];
    const heading = `${shortName(family.input)}, ${shortName(family.precision)}`;
    const figure = html`<h3>${heading}</h3>${htmlFigures(errorBySize(family, look.seriesOf, printed, growth), look.hues)}`;
    room -= countMarkupBytes(figure);
    if (room < 0 && figures.length > 0) break;
    figures.push(figure);
  }
  const more = leftOut(left + grown.length - figures.length, 'family of inputs', 'families of inputs');
  return { id: 'size', title: 'Error against size', body: html`${note}${figures}${more}` };
}

export function errorsByLevels(all: Results, look: FigureStyle): Section | undefined {
  const results = withoutFailing(all);
  const figures = chosen(results).shown.flatMap((family, at) =>
    errorByLevels(family, look.seriesOf, at === 0 ? results.growth : []),
  );
  const slopes = firstRows(growthTable(results.growth), MOST_ROWS);
  if (figures.length === 0 && slopes.rows.length === 0) return undefined;
  const drawn =
    figures.length === 0
      ? undefined
      : html`<p>Errors at one size, level by level.</p>${htmlFigures([figures], look.hues)}`;
  const table =
    slopes.rows.length === 0
      ? undefined
      : html`<details><summary>${slopes.title}: the fitted slopes</summary>${htmlTable(slopes)}</details>`;
  const body = html`${drawn}${table}`;
  return { id: 'levels', title: 'Error against levels, and growth', body, folded: figures.length === 0 };
}

/** Returns the results of kernels that do not fail, since the growth of mistakes shows nothing. A study keeps all its results. */
function withoutFailing(results: Results): Results {
  const failing = new Set(
    results.cases.flatMap((result) => (standingOf(result) === 'fail' ? [result.kernel] : [])),
  );
  if (failing.size === 0 || results.study !== undefined) return results;
  const isRight = ({ kernel }: { readonly kernel: string }) => !failing.has(kernel);
  return { ...results, cases: results.cases.filter(isRight), growth: results.growth.filter(isRight) };
}

function chosen({ cases, study }: Results): { shown: CaseFamily[]; left: number } {
  const all = listCaseFamilies(cases, study).sort((a, b) => b.cases.length - a.cases.length);
  return { shown: all.slice(0, MOST_FAMILIES), left: Math.max(0, all.length - MOST_FAMILIES) };
}

const MOST_PANELS = 6;
/** One row of maps. */
const MOST_MAPS = 4;
const LARGEST_SIDE = 64;
const MOST_BINS = 256;

/** Renders maps of the positions of errors in the product. */
export function errorMaps({ cases }: Results): Section | undefined {
  const note = html`<p>Each cell shows the largest error of its entries of C. Lines are block borders of the recursion, strongest for the first level. The ring marks the worst entry.</p>`;
  const maps = cases.flatMap((result) => {
    const map = result.errorMap;
    if (map === undefined || map.rows > LARGEST_SIDE || map.cols > LARGEST_SIDE) return [];
    return [{ result, draw: () => errorMapFigure(result, map) }];
  });
  const section = telling(
    { id: 'maps', title: 'Error maps', note, of: ['map', 'maps'], most: MOST_MAPS },
    maps,
  );
  return section && { ...section, folded: true };
}

/** Renders the distribution of errors. */
export function histograms({ cases }: Results): Section | undefined {
  const note = html`<p>Signed errors in units of the expected error (sigma) of their entry. The outermost bins include all beyond. The line is the unit normal density: a narrower histogram means that sigma is cautious, a wider one that errors exceed their model.</p>`;
  const all = cases.flatMap((result) => {
    const { histogram } = result;
    if (histogram === undefined || histogram.counts.length > MOST_BINS) return [];
    return [{ result, draw: () => histogramFigure(result, histogram) }];
  });
  const of = ['histogram', 'histograms'] as const;
  return telling({ id: 'histograms', title: 'Errors in sigmas', note, of, most: MOST_PANELS }, all);
}

interface About {
  readonly id: string;
  readonly title: string;
  readonly note: Markup;
  readonly of: readonly [one: string, many: string];
  readonly most: number;
}

/** Renders the figures of the most important cases. */
function telling(
  { id, title, note, of, most }: About,
  items: readonly { readonly result: CaseResult; readonly draw: () => Figure }[],
): Section | undefined {
  if (items.length === 0) return undefined;
  const figures = mostTelling(items)
    .slice(0, most)
    .map(({ draw }) => draw());
  return {
    id,
    title,
    body: html`${note}${htmlFigures([figures])}${leftOut(items.length - figures.length, ...of)}`,
  };
}

const MOST_FIELDS = 4;

/** Renders speed against accuracy: the rates of external kernels, and the speed-up by an algorithm of ours. */
export function speedAgainstBits({ cases }: Results, { seriesOf, hues }: FigureStyle): Section | undefined {
  const fields = rateFields(cases, seriesOf);
  const all = races(cases);
  if (all.length + fields.length === 0) return undefined;
  const rates =
    fields.length === 0
      ? undefined
      : html`<p>Each kernel by the significant bits of its worst entry, relative to |A||B|, and by its speed. Each mark is a size; its number is n. Up is faster, right is more accurate.</p>${htmlFigures([fields.slice(0, MOST_FIELDS).map(rateFigure)], hues)}${leftOut(Math.max(0, fields.length - MOST_FIELDS), 'input', 'inputs')}`;
  const figures = all.slice(0, MOST_PANELS).map(speedFigure);
  const won =
    figures.length === 0
      ? undefined
      : html`<p>Each algorithm against the classical one without recursion, with the same leaf kernel, input and size. Up is faster, right is less accurate. The number beside a mark is its levels. Bits are those of the worst entry relative to |A||B|.</p>${htmlFigures([figures])}${leftOut(all.length - figures.length, 'panel', 'panels')}`;
  return { id: 'speed', title: 'Speed against bits', body: html`${rates}${won}` };
}

/** States the number of items that are left out. */
const leftOut = (count: number, one: string, many: string): Markup | undefined =>
  count === 0
    ? undefined
    : html`<p class="note">${count} more ${count === 1 ? one : many} in the raw data.</p>`;

/**
 * Sorts items by importance: failures; then each algorithm at its deepest on each input, with the classical one without recursion for
 * comparison; then the others, deep ones first.
 */
export function mostTelling<T extends { readonly result: CaseResult }>(items: readonly T[]): T[] {
  const key = ({ algorithm, input, precision }: CaseResult) => JSON.stringify([algorithm, input, precision]);
  const deepest = new Map<string, number>();
  for (const { result } of items) {
    deepest.set(key(result), Math.max(result.levelsUsed, deepest.get(key(result)) ?? 0));
  }
  const rank = (result: CaseResult) => {
    if (result.verdict === 'fail') return 0;
    const telling = result.algorithm === 'classical' ? 0 : deepest.get(key(result));
    return result.levelsUsed === telling ? 1 : 2;
  };
  const order = (a: CaseResult, b: CaseResult) =>
    rank(a) - rank(b) || (rank(a) === 2 ? b.levelsUsed - a.levelsUsed : 0);
  return [...items].sort((a, b) => order(a.result, b.result));
}
