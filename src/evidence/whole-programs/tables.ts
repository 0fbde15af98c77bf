import type { Random } from '../../base/random.ts';
import { exp2 } from '../../inputs/exp2.ts';
import { power, type Table, tableOf } from '../../inputs/wild/table.ts';

/** Operations of programs on matrices between products. They use only + − × ÷ and roots, which all engines round alike. */

export const sized = (random: Random, least: number, most: number): number =>
  Math.min(most, Math.floor(least * 2 ** random.uniform(0, Math.log2((most + 1) / least))));

export const mapped = (one: Table, of: (x: number, i: number, j: number) => number): Table =>
  tableOf(one.rows, one.cols, (i, j) => of(one.data[i * one.cols + j], i, j));

export const plus = (one: Table, other: Table, factor = 1): Table =>
  mapped(one, (x, i, j) => x + factor * other.data[i * other.cols + j]);

export const times = (one: Table, factor: number): Table => mapped(one, (x) => factor * x);

export const turned = ({ rows, cols, data }: Table): Table =>
  tableOf(cols, rows, (i, j) => data[j * cols + i]);

export const unit = (size: number, factor = 1): Table =>
  tableOf(size, size, (i, j) => (i === j ? factor : 0));

export const blockOf = (one: Table, [top, rows]: readonly number[], [left, cols]: readonly number[]): Table =>
  tableOf(rows, cols, (i, j) => one.data[(top + i) * one.cols + left + j]);

export const rowsOf = (one: Table, from: number, count: number): Table =>
  blockOf(one, [from, count], [0, one.cols]);

export const below = (all: readonly Table[]): Table => {
  const [{ rows, cols }] = all;
  return tableOf(all.length * rows, cols, (i, j) => all[Math.floor(i / rows)].data[(i % rows) * cols + j]);
};

export const normal = (random: Random, rows: number, cols: number, spread = 1): Table =>
  tableOf(rows, cols, () => spread * random.normal());

/** Returns initial weights of layers, or weights as training leaves them: about 1/√rows. */
export const weights = (random: Random, rows: number, cols: number): Table =>
  normal(random, rows, cols, power(random, -1.5, 0.5) / Math.sqrt(rows));

export const relu = (one: Table): Table => mapped(one, (x) => Math.max(0, x));
/** Bends entries smoothly into the range from −1 to 1. */
export const bent = (one: Table): Table => mapped(one, (x) => x / (1 + Math.abs(x)));
export const smoothRelu = (one: Table): Table => mapped(one, (x) => (x * (1 + x / Math.sqrt(1 + x * x))) / 2);

/** Sums each row, after applying a function to its entries. */
const sums = ({ rows, cols, data }: Table, of: (x: number) => number): Float64Array => {
  const all = new Float64Array(rows);
  for (let at = 0; at < data.length; at++) all[Math.floor(at / cols)] += of(data[at]);
  return all;
};

/** Scales rows to mean 0 and mean square 1. */
export function layerNorm(one: Table): Table {
  const means = sums(one, (x) => x / one.cols);
  const centred = mapped(one, (x, i) => x - means[i]);
  const squares = sums(centred, (x) => (x * x) / one.cols);
  return mapped(centred, (x, i) => x / Math.sqrt(squares[i] + 2 ** -17));
}

/** Scales rows to length 1. */
export function unitRows(one: Table): Table {
  const squares = sums(one, (x) => x * x);
  return mapped(one, (x, i) => (squares[i] === 0 ? 0 : x / Math.sqrt(squares[i])));
}

/** Returns the softmax of each row: powers of the entries, scaled to sum to 1. */
export function softmax(one: Table): Table {
  const { rows, cols, data } = one;
  const most = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < data.length; at++) {
    const row = Math.floor(at / cols);
    most[row] = Math.max(most[row], data[at]);
  }
  const powers = mapped(one, (x, i) => exp2(Math.max(-64, (x - most[i]) * Math.LOG2E)));
  const all = sums(powers, (x) => x);
  return mapped(powers, (x, i) => x / all[i]);
}

/** Scales a matrix to mean square 1. */
export function ofUsualSize(one: Table): Table {
  const square = one.data.reduce((sum, x) => sum + x * x, 0) / Math.max(1, one.data.length);
  return square === 0 ? one : times(one, 1 / Math.sqrt(square));
}

/** Shifts columns to mean 0. */
export const centred = (one: Table): Table => {
  const means = sums(turned(one), (x) => x / one.rows);
  return mapped(one, (x, _, j) => x - means[j]);
};

/** Makes columns orthonormal, one after the other (Gram and Schmidt). */
export function orthonormal(one: Table): Table {
  const made = turned(one);
  const { rows, cols, data } = made;
  const dot = (p: number, q: number) => {
    let sum = 0;
    for (let j = 0; j < cols; j++) sum += data[p * cols + j] * data[q * cols + j];
    return sum;
  };
  for (let p = 0; p < rows; p++) {
    for (let q = 0; q < p; q++) {
      const share = dot(p, q);
      for (let j = 0; j < cols; j++) data[p * cols + j] -= share * data[q * cols + j];
    }
    const length = Math.sqrt(dot(p, p));
    for (let j = 0; j < cols; j++) data[p * cols + j] = length === 0 ? 0 : data[p * cols + j] / length;
  }
  return turned(made);
}

/** Splits columns into parts, one below the other; `joinColumns` reverses this. */
export const splitColumns = (one: Table, parts: number): Table => {
  const cols = one.cols / parts;
  return tableOf(one.rows * parts, cols, (i, j) => {
    const part = Math.floor(i / one.rows);
    return one.data[(i % one.rows) * one.cols + part * cols + j];
  });
};
export const joinColumns = (one: Table, parts: number): Table => {
  const rows = one.rows / parts;
  return tableOf(rows, one.cols * parts, (i, j) => {
    const part = Math.floor(j / one.cols);
    return one.data[(part * rows + i) * one.cols + (j % one.cols)];
  });
};
/** Transposes each of the matrices that lie one below the other. */
export const turnedEach = (one: Table, parts: number): Table => {
  const rows = one.rows / parts;
  return below(Array.from({ length: parts }, (_, part) => turned(rowsOf(one, part * rows, rows))));
};

/** Returns cosine and sine of an angle, from the tangent of its half. */
export const angle = (t: number): readonly [cos: number, sin: number] => [
  (1 - t * t) / (1 + t * t),
  (2 * t) / (1 + t * t),
];
