import type { CaseResult, Results } from '../../../gate/results.ts';
import { heatMap } from '../figures/heat-map.ts';
import { histogramFigure } from '../figures/histogram-figure.ts';
import { legend } from '../figures/legend.ts';
import { algorithmNumbers } from '../figures/palette.ts';
import { panels } from '../figures/panel.ts';
import { races, speedPanel } from '../figures/speed.ts';
import { html } from '../markup.ts';
import type { Section } from '../section.ts';
import { leftOut } from './errors.ts';

const MOST_PANELS = 8;
const LARGEST_SIDE = 64;
const MOST_BINS = 256;

/**
 * The items whose cases say most, first: failures, then each algorithm at its deepest on each input, the classical one
 * without recursion, for comparison; then the others, deep ones first.
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

/** Where in the product errors lie. */
export function errorMaps({ cases }: Results): Section | undefined {
  const maps = cases.flatMap((result) => {
    const map = result.errorMap;
    if (map === undefined || map.rows > LARGEST_SIDE || map.cols > LARGEST_SIDE) return [];
    return [{ result, map }];
  });
  if (maps.length === 0) return undefined;
  const note = html`<p>Each cell shows the largest error of its entries of C. Lines are the borders of the blocks of the recursion, the first level’s the strongest; the ring marks the worst entry.</p>`;
  const drawn = mostTelling(maps)
    .slice(0, MOST_PANELS)
    .map(({ result, map }) => heatMap(result, map));
  const body = html`${note}${panels(drawn)}${leftOut(maps.length - drawn.length, 'map', 'maps')}`;
  return { id: 'maps', title: 'Where the errors lie', body };
}

/** How often errors are so large. */
export function histograms({ cases }: Results): Section | undefined {
  const all = cases.flatMap((result) => {
    const { histogram } = result;
    return histogram === undefined || histogram.counts.length > MOST_BINS ? [] : [{ result, histogram }];
  });
  if (all.length === 0) return undefined;
  const note = html`<p>Signed errors in units of the error to expect (sigma) of their entry; the outermost bins hold what lies beyond. The line is the unit normal density: bars narrower than it mean that sigma is cautious, wider ones that errors are larger than their model.</p>`;
  const drawn = mostTelling(all)
    .slice(0, MOST_PANELS)
    .map(({ result, histogram }) => histogramFigure(result, histogram));
  const body = html`${note}${panels(drawn)}${leftOut(all.length - drawn.length, 'histogram', 'histograms')}`;
  return { id: 'histograms', title: 'Errors in sigmas', body };
}

/** What speed costs in accuracy. */
export function speedAgainstBits({ cases }: Results): Section | undefined {
  const all = races(cases);
  if (all.length === 0) return undefined;
  const shown = all.slice(0, MOST_PANELS);
  const algorithms = algorithmNumbers(
    shown.flatMap(({ trades }) => trades.map(({ algorithm }) => algorithm)),
  );
  const note = html`<p>Each algorithm against the classical one without recursion, with the same leaf kernel, input and size. Up is faster, right is less accurate; the number beside a mark is its levels. Bits are those of the worst entry against |A||B|.</p>`;
  const drawn = shown.map((race) => speedPanel(race, algorithms));
  const body = html`${note}<div class="figure">${legend({ algorithms })}${panels(drawn)}</div>${leftOut(all.length - drawn.length, 'panel', 'panels')}`;
  return { id: 'speed', title: 'Speed won, bits lost', body };
}
