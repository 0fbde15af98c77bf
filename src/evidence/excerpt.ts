import { toJsonNumber } from '../base/real.ts';
import type { CaseResult, Excerpt } from './case-result.ts';
import type { EvidenceQuery } from './checks/check.ts';
import { resultIndexOf } from './compared.ts';
import type { Evidence } from './evidence.ts';

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
