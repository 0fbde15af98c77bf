import { group } from 'd3-array';
import type { Figure, Series } from '../../report/figure.ts';
import type { Measurement } from '../../study/bench/measurement.ts';
import { paretoFront } from '../../study/bench/pareto.ts';
import { productName } from '../../study/bench/report.ts';
import { describeTrade, shortName } from './figure-words.ts';

/** Speed-up and lost bits of an entrant, compared with the fastest classical product. */
export interface ParetoPoint {
  readonly label: string;
  readonly algorithm: string;
  readonly levels: number;
  readonly bitsLost: number;
  readonly speedUp: number;
  /** True if no other entrant is both as fast and as accurate. */
  readonly onFront: boolean;
}

/** The entrants of one product. */
export interface ParetoField {
  readonly title: string;
  readonly points: readonly ParetoPoint[];
}

/** Returns the fields with several entrants, the largest product first. */
export function paretoFields(measurements: readonly Measurement[]): ParetoField[] {
  const fieldOf = (one: Measurement) => `${productName(one)}, ${one.precision}`;
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

/** Returns the common reference of a field, so that its marks compare. Without a classical product, this is the first entrant. */
function fastestClassical(all: readonly Measurement[]): Measurement {
  const classical = all.filter(({ algorithm, levels }) => algorithm === 'classical' && levels === 0);
  return classical.reduce((best, one) => (one.median < best.median ? one : best), classical[0] ?? all[0]);
}

/** Draws a field: bits lost to the right, speed won upwards; a line joins the Pareto front. */
export function paretoFigure({ title, points }: ParetoField): Figure {
  const front = points.filter(({ onFront }) => onFront).sort((a, b) => a.bitsLost - b.bitsLost);
  const marks = [...group(points, ({ algorithm }) => shortName(algorithm))].map(
    ([hue, own]): Series => ({ draw: 'points', shape: 'own', hue, marks: own.map(markOf) }),
  );
  const most = Math.max(0, ...points.map(({ bitsLost }) => bitsLost));
  return {
    title,
    // The axis leaves room for the number behind the rightmost mark.
    x: { label: 'significant bits lost', scale: 'linear', include: [0, 1.08 * most] },
    y: { label: 'speed-up over the fastest classical', scale: 'linear', include: [0, 1] },
    series: [
      { draw: 'rule', y: 1 },
      {
        draw: 'line',
        stroke: 'thin',
        name: 'front',
        points: front.map(({ bitsLost, speedUp }) => [bitsLost, speedUp] as const),
      },
      ...marks,
    ],
  };
}

const markOf = ({ label, bitsLost, speedUp, onFront, levels }: ParetoPoint) => ({
  x: bitsLost,
  y: speedUp,
  says: `${shortName(label)}: ${describeTrade(speedUp, bitsLost)}${onFront ? ', on the front' : ''}`,
  tag: levels > 0 ? String(levels) : undefined,
});
