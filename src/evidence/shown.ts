import { mapNumbers, toJsonNumber } from '../base/numbers.ts';
import type { Matrix } from '../matrix/dense.ts';
import { countLevels, cutPositions, cutsOf } from '../plan/path.ts';
import type { Plan } from '../plan/plan.ts';
import type { CaseResult, Excerpt } from './case-result.ts';
import type { EvidenceQuery } from './checks/check.ts';
import { resultIndexOf } from './compared.ts';
import type { Evidence } from './evidence.ts';
import { BASE, CELL, CLASSES, type HeatMap, MOST_CELLS, NEGATIVE, type ProductMaps } from './heat-map.ts';

/** Parts that show a product to people. Few cases need them, so that pages load them separately. */

/** The most rows and columns that are shown. */
const MOST = 5;

/** The entries around the worst one; undefined where no entry is wrong. */
export const excerptAround: EvidenceQuery<Pick<CaseResult, 'excerpt'> | undefined> = {
  name: 'excerpt',
  what: 'the entries around the worst one: found, expected, difference',
  ask(evidence) {
    const { worst } = evidence.errors.exact;
    return worst === undefined ? undefined : { excerpt: excerptOf(evidence, worst) };
  },
};

function excerptOf(
  { outcomes: [{ c }], reference, gemm: { m }, machine }: Evidence,
  worst: { readonly i: number; readonly j: number },
): Excerpt {
  // No entry of another product of the batch is shown.
  const top = Math.floor(worst.i / m) * m;
  const rows = around(worst.i, top, top + m);
  const cols = around(worst.j, 0, c.cols);
  const known = comparedIn(reference, rows, cols, c.cols);
  // Enough digits to tell two numbers of the format apart.
  const shown = digitsOf(machine.precision.d.precision <= 24 ? 9 : 17);
  const each = <T>(entry: (place: number) => T) => rows.map((i) => cols.map((j) => entry(i * c.cols + j)));
  return {
    ...{ row: rows[0], col: cols[0] },
    found: each((place) => shown(c.data[place])),
    expected: each((place) => {
      const at = known.get(place);
      return at === undefined ? null : shown(reference.value[at]);
    }),
    difference: each((place) => {
      const at = known.get(place);
      return at === undefined
        ? null
        : shown(differenceOf(c.data[place], reference.value[at], reference.low[at]));
    }),
  };
}

/** Returns indices around one of them, from `first` to before `end`. */
function around(at: number, first: number, end: number): number[] {
  const from = Math.max(first, Math.min(at - Math.floor(MOST / 2), end - MOST));
  return Array.from({ length: Math.min(MOST, end - first) }, (_, more) => from + more);
}

/** Maps places in some rows and columns to their compared entries. */
function comparedIn(
  reference: Evidence['reference'],
  rows: readonly number[],
  cols: readonly number[],
  stride: number,
): ReadonlyMap<number, number> {
  const places = new Set(rows.flatMap((i) => cols.map((j) => i * stride + j)));
  if (reference.at === undefined) return new Map([...places].map((place) => [place, place]));
  const found = new Map<number, number>();
  for (let t = 0; t < reference.value.length; t++) {
    const place = resultIndexOf(reference, t);
    if (places.has(place)) found.set(place, t);
  }
  return found;
}

/** Returns found − exact; equal infinities, and two NaN, differ by 0. */
const differenceOf = (found: number, value: number, low: number): number =>
  Object.is(found, value) && !Number.isFinite(value) ? 0 : found - value - low;

const digitsOf = (digits: number) => (x: number) => toJsonNumber(Number(x.toPrecision(digits)));

/** Pictures of a product; the matrices of a batch lie one below the other. */
export const maps: EvidenceQuery<ProductMaps> = {
  name: 'maps',
  what: 'heat maps of A, B, C and the errors, which reports show for failures',
  ask({ operands: { a, b }, outcomes, reference }) {
    const [{ c }] = outcomes;
    const errors = new Map<number, number>();
    for (let t = 0; t < reference.value.length; t++) {
      const e = resultIndexOf(reference, t);
      const [value, low] = [reference.value[t], reference.low[t]];
      errors.set(e, worst(outcomes.map((found) => difference(found?.c.data[e], value, low))));
    }
    return present({
      a: heatMapOf(a, (e) => a.data[e]),
      b: heatMapOf(b, (e) => b.data[e]),
      c: heatMapOf(c, (e) => c.data[e]),
      error: heatMapOf(c, (e) => errors.get(e)),
    });
  },
};

/** Returns found − exact; equal infinities, and two NaN, have no error. */
const difference = (found = 0, value: number, low: number): number =>
  Object.is(found, value) ? -low : found - value - low;

/** Returns the error farthest from 0; NaN is farther than any number. */
const worst = (errors: readonly number[]): number =>
  errors.reduce((one, other) => (Math.abs(other) <= Math.abs(one) || Number.isNaN(one) ? one : other));

const present = (all: Record<keyof ProductMaps, HeatMap | undefined>): ProductMaps =>
  Object.fromEntries(Object.entries(all).filter(([, map]) => map !== undefined));

/**
 * Draws the picture of a matrix with the entries that `entryOf` returns. NaN is not finite; undefined leaves a cell as it is.
 * @returns undefined where the matrix has no entries.
 */
export function heatMapOf(
  { rows: m, cols: n }: Pick<Matrix, 'rows' | 'cols'>,
  entryOf: (entry: number) => number | undefined,
): HeatMap | undefined {
  if (m === 0 || n === 0) return undefined;
  const [rows, cols] = [Math.min(m, MOST_CELLS), Math.min(n, MOST_CELLS)];
  const largest = new Array<number | undefined>(rows * cols).fill(undefined);
  for (let i = 0; i < m; i++) {
    const row = Math.floor((i * rows) / m);
    for (let j = 0; j < n; j++) {
      const at = row * cols + Math.floor((j * cols) / n);
      const entry = entryOf(i * n + j);
      if (entry === undefined || Math.abs(entry) <= Math.abs(largest[at] ?? -0)) largest[at] ??= entry;
      else largest[at] = Number.isNaN(entry) ? Infinity : entry;
    }
  }
  const sizes = largest.map((entry) => Math.abs(entry ?? 0));
  const between = range(sizes.filter((size) => size > 0 && size < Infinity));
  const cells = largest.map((entry) => digit(entry, between)).join('');
  return { of: [m, n], rows, cols, ...(between === undefined ? {} : { between }), cells };
}

/** Returns the smallest and the largest, rounded to three digits. */
function range(sizes: readonly number[]): [number, number] | undefined {
  if (sizes.length === 0) return undefined;
  const rounded = (x: number) => {
    const short = Number(x.toPrecision(3));
    return Number.isFinite(short) ? short : x;
  };
  return [rounded(Math.min(...sizes)), rounded(Math.max(...sizes))];
}

function digit(entry: number | undefined, [low, high]: readonly [number, number] = [1, 1]): string {
  if (entry === undefined) return CELL.unknown;
  if (entry === 0) return CELL.zero;
  const size = Math.abs(entry);
  if (size === Infinity) return CELL.notFinite;
  const share = high > low ? Math.log2(size / low) / Math.log2(high / low) : 1;
  const kind = Math.min(CLASSES, Math.max(1, 1 + Math.floor(share * CLASSES)));
  return (entry < 0 ? NEGATIVE + kind : kind).toString(BASE);
}

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
