import { mapNumbers } from '../base/numbers.ts';
import { toJsonNumber } from '../base/real.ts';
import { countLevels, cutPositions, cutsOf } from '../plan/path.ts';
import type { Plan } from '../plan/plan.ts';
import type { CaseResult } from './case-result.ts';
import type { EvidenceQuery } from './checks/check.ts';

/** The distribution of errors over C and over sigmas; undefined where no analysis covers every entry. */
export const details: EvidenceQuery<Pick<CaseResult, 'errorMap' | 'histogram'> | undefined> = {
  name: 'details',
  what: 'positions of the errors of a product, and their histogram in sigmas',
  ask({ outcomes: [{ c }], reference: { value, low, at }, analysis, plan }) {
    if (analysis === undefined || at !== undefined) return undefined;
    const errors = mapNumbers(c.data, (found, e) => found - value[e] - low[e]);
    const { cells, ...grid } = makeErrorMap(errors, c.rows, c.cols);
    const inSigmas = errors.map((error, e) => (error === 0 ? 0 : error / analysis.sigma.data[e]));
    const shown = cells.map((error) => toJsonNumber(Number(error.toPrecision(3))));
    const { width, counts } = makeHistogram(inSigmas);
    return {
      errorMap: { ...grid, cells: shown, cuts: levelCuts(plan) },
      histogram: { width, counts: [...counts] },
    };
  },
};

/** The most levels that a map shows. */
const LEVELS_SHOWN = 5;

/** Returns the cuts of C at each level. */
function levelCuts(plan: Plan): NonNullable<NonNullable<CaseResult['errorMap']>['cuts']> {
  const cuts = cutsOf(plan);
  const { m, n } = plan.shape;
  return Array.from({ length: Math.min(countLevels(cuts), LEVELS_SHOWN) }, (_, at) => ({
    rows: cutPositions(m, cuts, 'rows', at + 1),
    cols: cutPositions(n, cuts, 'cols', at + 1),
  }));
}

/** The largest error of each cell of a grid over an m×n result. */
export interface ErrorMap {
  readonly rows: number;
  readonly cols: number;
  /** Row-major, rows·cols. */
  readonly cells: readonly number[];
}

/** The most cells along a side: enough to see the blocks of three levels. */
const MOST_CELLS = 32;

/** Returns the largest errors (m·n, row-major) over a grid of at most `most`×`most` cells of nearly equal size. */
export function makeErrorMap(errors: Float64Array, m: number, n: number, most = MOST_CELLS): ErrorMap {
  const [rows, cols] = [Math.min(m, most), Math.min(n, most)];
  const cells = new Float64Array(rows * cols);
  for (let i = 0; i < m; i++) {
    const row = Math.floor((i * rows) / m);
    for (let j = 0; j < n; j++) {
      const at = row * cols + Math.floor((j * cols) / n);
      const error = Math.abs(errors[i * n + j]);
      if (!(error <= cells[at])) cells[at] = Number.isNaN(error) ? Number.POSITIVE_INFINITY : error;
    }
  }
  return { rows, cols, cells: Array.from(cells) };
}

/** Counts of numbers in equal bins around zero. */
export interface Histogram {
  readonly width: number;
  /** Bin i holds the numbers from (i − half)·width up to (i + 1 − half)·width, half being half the number of bins. */
  readonly counts: readonly number[];
}

/** Counts numbers in `bins` bins (an even number) of a width; numbers beyond, and NaN, are in the outermost. */
export function makeHistogram(values: Float64Array, width = 0.25, bins = 32): Histogram {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.floor(value / width) + bins / 2;
    counts[Number.isNaN(bin) ? bins - 1 : Math.min(Math.max(bin, 0), bins - 1)]++;
  }
  return { width, counts };
}
