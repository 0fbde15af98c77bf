import { group } from 'd3-array';
import { productOf } from '../../../bench/compare.ts';
import type { Measurement } from '../../../bench/measurement.ts';
import { paretoFront } from '../../../bench/pareto.ts';
import { html, type Markup } from '../markup.ts';
import { fixed, name } from '../text.ts';
import { linearAxis } from './axis.ts';
import { rounded, tenth } from './palette.ts';
import { ACROSS, panel, UPWARDS } from './panel.ts';

/** What an entrant wins and loses against the fastest classical product. */
export interface ParetoPoint {
  readonly label: string;
  readonly algorithm: string;
  readonly levels: number;
  readonly bitsLost: number;
  readonly speedUp: number;
  /** Whether no other is both as fast and as accurate. */
  readonly onFront: boolean;
}

/** The entrants of one product. */
export interface ParetoField {
  readonly title: string;
  readonly points: readonly ParetoPoint[];
}

/** The fields in which several ran, the largest product first. */
export function paretoFields(measurements: readonly Measurement[]): ParetoField[] {
  const fieldOf = (one: Measurement) => `${productOf(one)}, ${one.precision}`;
  return [...group(measurements, fieldOf)]
    .filter(([, all]) => all.length > 1)
    .sort(([, [x]], [, [y]]) => y.m * y.k * y.n - x.m * x.k * x.n)
    .map(([title, all]) => {
      const traded = all.map((one) => ({ one, speed: 1 / one.median, bits: one.bits }));
      const front = new Set(paretoFront(traded).map(({ one }) => one));
      const base = fastestClassical(all);
      const points = all.map((one) => {
        const { label, algorithm, levels } = one;
        const bitsLost = base.bits - one.bits;
        return {
          label,
          algorithm,
          levels,
          bitsLost,
          speedUp: base.median / one.median,
          onFront: front.has(one),
        };
      });
      return { title, points };
    });
}

/** One for all marks of a field, so that they can be compared; where no classical product ran, the first entrant. */
function fastestClassical(all: readonly Measurement[]): Measurement {
  const classical = all.filter(({ algorithm, levels }) => algorithm === 'classical' && levels === 0);
  return classical.reduce((best, one) => (one.median < best.median ? one : best), classical[0] ?? all[0]);
}

/** A field as a panel: bits lost to the right, speed won upwards; a line joins the Pareto front. */
export function paretoPanel({ title, points }: ParetoField, algorithms: ReadonlyMap<string, number>): Markup {
  const lost = points.map(({ bitsLost }) => bitsLost);
  // Room for the number behind the mark furthest to the right.
  const x = linearAxis('significant bits lost', [0, ...lost, 1.08 * Math.max(0, ...lost)], ACROSS);
  const y = linearAxis(
    'speed-up over the fastest classical',
    [0, 1, ...points.map(({ speedUp }) => speedUp)],
    UPWARDS,
  );
  const place = ({ bitsLost, speedUp }: ParetoPoint) => [tenth(x.at(bitsLost)), tenth(y.at(speedUp))];
  const front = points.filter(({ onFront }) => onFront).sort((a, b) => a.bitsLost - b.bitsLost);
  const path = front.map((point) => place(point).join(' ')).join('L');
  const marks = points.map((point) => {
    const [left, top] = place(point);
    const number = algorithms.get(point.algorithm) ?? 0;
    const { label, speedUp, bitsLost, onFront, levels } = point;
    const said = `${name(label)}: ${fixed(speedUp, 2)} times as fast, ${fixed(bitsLost, 1)} bits lost${onFront ? ', on the front' : ''}`;
    const tag =
      levels > 0 ? html`<text class="tag" x="${left + 6}" y="${top - 4}">${levels}</text>` : undefined;
    return html`<g class="a${number}"><use href="#s${number}" x="${left}" y="${top}"><title>${said}</title></use>${tag}</g>`;
  });
  const even = html`<path class="even" d="M${ACROSS[0]} ${tenth(y.at(1))}H${ACROSS[1]}"/>`;
  const joined = front.length > 1 ? html`<path class="front" d="M${rounded(path)}"/>` : undefined;
  return panel({ title, x, y, body: html`${even}${joined}${marks}` });
}
