import { exp2 } from '../../base/binary64.ts';
import type { Random } from '../../base/random.ts';
import { type DraftMatrix, drawPower, makeDraft } from '../../inputs/wild/table.ts';

/** Operations of programs on matrices between products. They use only + − × ÷ and roots, which all engines round alike. */

export const makeSized = (random: Random, least: number, most: number): number =>
  Math.min(most, Math.floor(least * 2 ** random.uniform(0, Math.log2((most + 1) / least))));

export const mapEntries = (one: DraftMatrix, of: (x: number, i: number, j: number) => number): DraftMatrix =>
  makeDraft(one.rows, one.cols, (i, j) => of(one.data[i * one.cols + j], i, j));

export const addTables = (one: DraftMatrix, other: DraftMatrix, factor = 1): DraftMatrix =>
  mapEntries(one, (x, i, j) => x + factor * other.data[i * other.cols + j]);

export const multiplyTables = (one: DraftMatrix, factor: number): DraftMatrix =>
  mapEntries(one, (x) => factor * x);

export const transposeEntries = ({ rows, cols, data }: DraftMatrix): DraftMatrix =>
  makeDraft(cols, rows, (i, j) => data[j * cols + i]);

export const unit = (size: number, factor = 1): DraftMatrix =>
  makeDraft(size, size, (i, j) => (i === j ? factor : 0));

export const takeBlock = (
  one: DraftMatrix,
  [top, rows]: readonly number[],
  [left, cols]: readonly number[],
): DraftMatrix => makeDraft(rows, cols, (i, j) => one.data[(top + i) * one.cols + left + j]);

export const takeRows = (one: DraftMatrix, from: number, count: number): DraftMatrix =>
  takeBlock(one, [from, count], [0, one.cols]);

export const stackTables = (all: readonly DraftMatrix[]): DraftMatrix => {
  const [{ rows, cols }] = all;
  return makeDraft(all.length * rows, cols, (i, j) => all[Math.floor(i / rows)].data[(i % rows) * cols + j]);
};

export const drawNormal = (random: Random, rows: number, cols: number, spread = 1): DraftMatrix =>
  makeDraft(rows, cols, () => spread * random.normal());

/** Returns initial weights of layers, or weights as training leaves them: about 1/√rows. */
export const drawWeights = (random: Random, rows: number, cols: number): DraftMatrix =>
  drawNormal(random, rows, cols, drawPower(random, -1.5, 0.5) / Math.sqrt(rows));

export const applyRelu = (one: DraftMatrix): DraftMatrix => mapEntries(one, (x) => Math.max(0, x));
/** Bends entries smoothly into the range from −1 to 1. */
export const squash = (one: DraftMatrix): DraftMatrix => mapEntries(one, (x) => x / (1 + Math.abs(x)));
export const applySmoothRelu = (one: DraftMatrix): DraftMatrix =>
  mapEntries(one, (x) => (x * (1 + x / Math.sqrt(1 + x * x))) / 2);

/** Sums each row, after applying a function to its entries. */
const sums = ({ rows, cols, data }: DraftMatrix, of: (x: number) => number): Float64Array => {
  const all = new Float64Array(rows);
  for (let at = 0; at < data.length; at++) all[Math.floor(at / cols)] += of(data[at]);
  return all;
};

/** Scales rows to mean 0 and mean square 1. */
export function applyLayerNorm(one: DraftMatrix): DraftMatrix {
  const means = sums(one, (x) => x / one.cols);
  const centered = mapEntries(one, (x, i) => x - means[i]);
  const squares = sums(centered, (x) => (x * x) / one.cols);
  return mapEntries(centered, (x, i) => x / Math.sqrt(squares[i] + 2 ** -17));
}

/** Scales rows to length 1. */
export function normalizeRows(one: DraftMatrix): DraftMatrix {
  const squares = sums(one, (x) => x * x);
  return mapEntries(one, (x, i) => (squares[i] === 0 ? 0 : x / Math.sqrt(squares[i])));
}

/** Returns the softmax of each row: powers of the entries, scaled to sum to 1. */
export function applySoftmax(one: DraftMatrix): DraftMatrix {
  const { rows, cols, data } = one;
  const most = new Float64Array(rows).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < data.length; at++) {
    const row = Math.floor(at / cols);
    most[row] = Math.max(most[row], data[at]);
  }
  const powers = mapEntries(one, (x, i) => exp2(Math.max(-64, (x - most[i]) * Math.LOG2E)));
  const all = sums(powers, (x) => x);
  return mapEntries(powers, (x, i) => x / all[i]);
}

/** Scales a matrix to mean square 1. */
export function normalizeMagnitude(one: DraftMatrix): DraftMatrix {
  const square = one.data.reduce((sum, x) => sum + x * x, 0) / Math.max(1, one.data.length);
  return square === 0 ? one : multiplyTables(one, 1 / Math.sqrt(square));
}

/** Shifts columns to mean 0. */
export const centerColumns = (one: DraftMatrix): DraftMatrix => {
  const means = sums(transposeEntries(one), (x) => x / one.rows);
  return mapEntries(one, (x, _, j) => x - means[j]);
};

/** Makes columns orthonormal, one after the other (Gram and Schmidt). */
export function orthonormalizeColumns(one: DraftMatrix): DraftMatrix {
  const made = transposeEntries(one);
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
  return transposeEntries(made);
}

/** Splits columns into parts, one below the other; `joinColumns` reverses this. */
export const splitColumns = (one: DraftMatrix, parts: number): DraftMatrix => {
  const cols = one.cols / parts;
  return makeDraft(one.rows * parts, cols, (i, j) => {
    const part = Math.floor(i / one.rows);
    return one.data[(i % one.rows) * one.cols + part * cols + j];
  });
};
export const joinColumns = (one: DraftMatrix, parts: number): DraftMatrix => {
  const rows = one.rows / parts;
  return makeDraft(rows, one.cols * parts, (i, j) => {
    const part = Math.floor(j / one.cols);
    return one.data[(part * rows + i) * one.cols + (j % one.cols)];
  });
};
/** Transposes each of the matrices that lie one below the other. */
export const transposeEach = (one: DraftMatrix, parts: number): DraftMatrix => {
  const rows = one.rows / parts;
  return stackTables(
    Array.from({ length: parts }, (_, part) => transposeEntries(takeRows(one, part * rows, rows))),
  );
};

/** Returns cosine and sine of an angle, from the tangent of its half. */
export const angle = (t: number): readonly [cos: number, sin: number] => [
  (1 - t * t) / (1 + t * t),
  (2 * t) / (1 + t * t),
];
