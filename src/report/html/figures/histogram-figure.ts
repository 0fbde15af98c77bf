import { line } from 'd3-shape';
import type { CaseResult, Histogram } from '../../../gate/results.ts';
import { html, type Markup } from '../markup.ts';
import { levelsInWords, name } from '../text.ts';
import { linearAxis } from './axis.ts';
import { rounded, tenth } from './palette.ts';
import { ACROSS, panel, UPWARDS } from './panel.ts';

const normal = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** How often errors are so many sigmas, beside the unit normal density that independent errors would have at most. */
export function histogramFigure(result: CaseResult, { width, counts }: Histogram): Markup {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const half = (counts.length * width) / 2;
  const density = counts.map((count) => (total === 0 ? 0 : count / total / width));
  const tallest = density.reduce((a, b) => Math.max(a, b), normal(0));
  const x = linearAxis('error in sigmas', [-half, half], ACROSS, 7);
  const y = linearAxis('share of entries per sigma', [0, tallest], UPWARDS, 4);
  const base = y.at(0);
  const wide = Math.max(0.4, x.at(width) - x.at(0) - 0.4);
  const bars = density.map((value, at) => {
    const middle = x.at((at + 0.5) * width - half);
    return value === 0 ? undefined : html`<path d="M${tenth(middle)} ${tenth(base)}V${tenth(y.at(value))}"/>`;
  });
  const curve = Array.from({ length: 61 }, (_, at): [number, number] => {
    const value = -half + (at * 2 * half) / 60;
    return [x.at(value), y.at(normal(value))];
  });
  const title = `${name(result.kernel)}, ${levelsInWords(result.levels)}, ${name(result.input)}, ${name(result.precision)}, n = ${result.n}`;
  return panel({
    title,
    x,
    y,
    body: html`<g class="bins" stroke-width="${tenth(wide)}" data-width="${width}" data-counts="${counts.join(' ')}">${bars}</g><path class="normal" d="${rounded(line()(curve) ?? '')}"/>`,
  });
}
