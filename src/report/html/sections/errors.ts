import type { GrowthResult, Results } from '../../../gate/results.ts';
import { byReason } from '../../summary.ts';
import { errorByLevels } from '../figures/error-by-levels.ts';
import { errorBySize } from '../figures/error-by-size.ts';
import { legend } from '../figures/legend.ts';
import { algorithmNumbers } from '../figures/palette.ts';
import { panels } from '../figures/panel.ts';
import { type Family, families } from '../figures/points.ts';
import { figures30And31, publishedIn, withoutRepeats } from '../figures/published.ts';
import { bytes, html, type Markup } from '../markup.ts';
import type { Section } from '../section.ts';
import { table } from '../table.ts';
import { fixed, levelsInWords, name, sentence } from '../text.ts';

const MOST_FAMILIES = 6;
// In bytes; the whole report must stay small.
const LARGEST_FIGURES = 110_000;

/** Figures of how errors grow with size. */
export function errorsBySize(results: Results): Section | undefined {
  const { shown, left } = chosen(results);
  const grown = shown.filter(({ cases: [first, ...others] }) => others.some(({ n }) => n !== first.n));
  if (grown.length === 0) return undefined;
  const printed = withoutRepeats([...publishedIn(results.study, results.cases), ...figures30And31()]);
  const note = html`<p>Errors of square products; each panel is one number of levels, and the panels of a row share their axes. A mark is the mean of the replicates, its bar reaches from the smallest to the largest. Bounds and expected errors are those of the largest error, and of the rounding in the product alone; where the error is against the ideal product, it also holds what rounding the inputs did. Without recursion all algorithms are one.</p>`;
  const figures: Markup[] = [];
  let room = LARGEST_FIGURES;
  for (const family of grown) {
    const heading = `${name(family.input)}, ${name(family.precision)}`;
    const figure = html`<div class="figure"><h3>${heading}</h3>${errorBySize(family, printed)}</div>`;
    room -= bytes(figure);
    if (room < 0 && figures.length > 0) break;
    figures.push(figure);
  }
  const more = leftOut(left + grown.length - figures.length, 'family of inputs', 'families of inputs');
  return { id: 'size', title: 'Error against size', body: html`${note}${figures}${more}` };
}

/** Figures of how errors grow with levels, and the fitted slopes. */
export function errorsByLevels(results: Results): Section | undefined {
  const { shown } = chosen(results);
  const drawn = shown
    .map((family) => ({ family, panels: errorByLevels(family) }))
    .filter(({ panels }) => panels.length > 0);
  const figures = drawn.length === 0 ? undefined : levelsFigure(drawn);
  const slopes = growthTable(results.growth);
  if (figures === undefined && slopes === undefined) return undefined;
  return { id: 'levels', title: 'Error against levels, and growth', body: html`${figures}${slopes}` };
}

function levelsFigure(drawn: readonly { family: Family; panels: Markup[] }[]): Markup {
  const algorithms = algorithmNumbers(
    drawn.flatMap(({ family }) => family.cases.map(({ algorithm }) => algorithm)),
  );
  return html`<p>Errors at one size, level by level.</p><div class="figure">${legend({ algorithms })}${panels(drawn.flatMap(({ panels }) => panels))}</div>`;
}

function chosen({ cases, study }: Results): { shown: Family[]; left: number } {
  const all = families(cases, study).sort((a, b) => b.cases.length - a.cases.length);
  return { shown: all.slice(0, MOST_FAMILIES), left: Math.max(0, all.length - MOST_FAMILIES) };
}

/** Says that a figure has more panels than are shown. */
export function leftOut(count: number, one: string, many: string): Markup | undefined {
  return count === 0
    ? undefined
    : html`<p class="note">${count} more ${count === 1 ? one : many} in the raw data.</p>`;
}

const MOST_ROWS = 120;

function growthTable(growth: readonly GrowthResult[]): Markup | undefined {
  if (growth.length === 0) return undefined;
  const rows = new Map<string, { fit: GrowthResult; max?: GrowthResult; mean?: GrowthResult }>();
  for (const fit of growth) {
    const key = JSON.stringify([fit.over, fit.input, fit.precision, fit.kernel, fit.fixed]);
    const row = rows.get(key) ?? { fit };
    rows.set(key, { ...row, [fit.measure === 'maxError' ? 'max' : 'mean']: fit });
  }
  const columns = [
    ...['kernel', 'input', 'precision', 'along', 'at'].map((heading) => ({ heading })),
    { heading: 'largest error', unit: 'slope', number: true },
    { heading: '95 % interval', number: true },
    { heading: 'mean error', unit: 'slope', number: true },
    { heading: '95 % interval', number: true },
  ];
  const cells = [...rows.values()].slice(0, MOST_ROWS).map(({ fit, max, mean }) => ({
    cells: [
      html`<code>${name(fit.kernel)}</code>`,
      name(fit.input),
      name(fit.precision),
      fit.over,
      fit.over === 'size' ? levelsInWords(fit.fixed) : `n = ${fit.fixed}`,
      ...slopeCells(max),
      ...slopeCells(mean),
    ],
  }));
  const note = html`<h3>Growth</h3><p>Along size the slope is the exponent p of error ≈ c·n<sup>p</sup>; along levels, each level multiplies the error by 2<sup>slope</sup>. Intervals are of least squares on the replicates.</p>`;
  return html`${note}${table(columns, cells)}${leftOut(rows.size - cells.length, 'row', 'rows')}${missing(growth)}`;
}

function slopeCells(fit: GrowthResult | undefined): string[] {
  if (fit?.slope === undefined) return [fit === undefined ? '–' : 'no fit', ''];
  const { interval } = fit;
  return [
    fixed(fit.slope, 2),
    interval === undefined ? '' : `${fixed(interval[0], 2)} to ${fixed(interval[1], 2)}`,
  ];
}

function missing(growth: readonly GrowthResult[]): Markup | undefined {
  const without = growth.filter(({ slope }) => slope === undefined);
  const reasons = byReason(without.map((fit) => ({ reason: fit.reason ?? 'no reason is given' }))).slice(
    0,
    10,
  );
  if (reasons.length === 0) return undefined;
  return html`<ul class="note">${reasons.map(({ reason, count }) => html`<li>${count} series without a fit: ${sentence(reason)}`)}</ul>`;
}
