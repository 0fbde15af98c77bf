import { fromJsonNumber } from '../../base/real.ts';
import type { CaseResult, ErrorMapResult } from '../../evidence/case-result.ts';
import type { Figure, Line, Points } from '../../report/figure.ts';
import { formatExponent } from '../../report/numbers.ts';
import { describeLevels, shortName } from './figure-words.ts';

/** Writes the title of a figure of one case, without the usual values. */
export function caseTitle({ kernel, levels, input, precision, m, n }: CaseResult): string {
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
