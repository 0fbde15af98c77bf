import { fromJsonNumber } from '../../base/numbers.ts';
import type { CaseResult, ErrorMapResult, HistogramResult } from '../../evidence/case-result.ts';
import type { Figure, Line, Points } from '../../report/figure.ts';
import { formatExponent } from '../../report/numbers.ts';
import { describeLevels, shortName } from './series.ts';

/** Writes the title of a figure of one case, without the usual values. */
function caseTitle({ kernel, levels, input, precision, m, n }: CaseResult): string {
  const unusual = [levels > 0 ? describeLevels(levels) : '', precision === 'f32' ? '' : shortName(precision)];
  return [shortName(kernel), shortName(input), ...unusual.filter((text) => text !== ''), `${m}×${n}`].join(
    ', ',
  );
}

/** Draws the positions of errors of a case: its map with the borders of the recursion's blocks and the worst entry. */
export function errorMapFigure(result: CaseResult, map: ErrorMapResult): Figure {
  const { m, n } = result;
  const { rows, cols, cells } = map;
  const values = Array.from({ length: rows * cols }, (_, at) => Math.abs(fromJsonNumber(cells[at] ?? 0)));
  return {
    title: caseTitle(result),
    x: { label: 'column', scale: 'exact', include: [0, n] },
    y: { label: 'row', scale: 'exact', include: [0, m], down: true },
    series: [
      { draw: 'cells', rows, cols, values, of: 'error of the cell' },
      ...blockBorders(map, result),
      ...worstEntry(result),
    ],
  };
}

const BREAK = [Number.NaN, Number.NaN] as const;

/** Returns the borders between blocks. Those of the first level are the strongest and drawn last. */
function blockBorders({ cuts = [] }: ErrorMapResult, { m, n }: CaseResult): Line[] {
  return cuts
    .map(({ rows, cols }, at): Line => {
      const across = cols.flatMap((x) => [[x, 0] as const, [x, m] as const, BREAK]);
      const down = rows.flatMap((y) => [[0, y] as const, [n, y] as const, BREAK]);
      return { draw: 'line', stroke: 'cut', weight: 2 / (at + 1), points: [...across, ...down] };
    })
    .reverse();
}

function worstEntry({ exact, m, n }: CaseResult): Points[] {
  const worst = exact?.worst;
  if (worst === undefined || worst.i >= m || worst.j >= n) return [];
  const { i, j, quadrant, computed, expected, error } = worst;
  const where = quadrant === '' ? '' : ` in ${shortName(quadrant)}`;
  const says = `worst entry (${i}, ${j})${where}: found ${formatExponent(computed)}, expected ${formatExponent(expected)}, error ${formatExponent(error)}`;
  return [{ draw: 'points', shape: 'ring', marks: [{ x: j + 0.5, y: i + 0.5, says }] }];
}

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
