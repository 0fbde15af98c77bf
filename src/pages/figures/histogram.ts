import type { CaseResult, HistogramResult } from '../../evidence/case-result.ts';
import type { Figure } from '../../report/figure.ts';
import { caseTitle } from './error-map.ts';

const normal = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Draws the distribution of errors in sigmas, beside the unit normal density. Independent errors are at most as wide as this density. */
export function histogramFigure(result: CaseResult, { width, counts }: HistogramResult): Figure {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const half = (counts.length * width) / 2;
  // The curve has points at the edges and in the middle of each bin, so that curve and bins compare.
  const curve = Array.from({ length: 2 * counts.length + 1 }, (_, at) => {
    const x = (at / 2) * width - half;
    return [x, normal(x)] as const;
  });
  const marks = counts.map((count, at) => {
    const middle = (at + 0.5) * width - half;
    const [from, to] = [at, at + 1].map((edge) => Number((edge * width - half).toFixed(3)));
    const where =
      at === 0 ? `below ${to}` : at === counts.length - 1 ? `${from} and above` : `${from} to ${to}`;
    const says = `${where} σ: ${count}`;
    return { x: middle, y: total === 0 ? 0 : count / total / width, says };
  });
  return {
    title: caseTitle(result),
    x: { label: 'error in sigmas', scale: 'linear', include: [-half, half] },
    y: { label: 'share of entries per sigma', scale: 'linear', include: [0, normal(0)] },
    series: [
      { draw: 'bars', width, marks },
      { draw: 'line', stroke: 'thin', name: 'unit normal density', points: curve },
    ],
  };
}
