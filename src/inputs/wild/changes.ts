import { pickRandom, type Random } from '../../base/random.ts';
import { applyPattern } from '../edits/patterned.ts';
import { mapEntries } from '../fitted.ts';
import { type DraftChange, type DraftMatrix, drawPower, makeDraft } from './table.ts';

const valued =
  (changing: (random: Random) => (x: number) => number): DraftChange =>
  (table, random) => {
    const changed = changing(random);
    mapEntries(table, changed);
  };

/** Returns the lines of a table, rows or columns at random, as indices of places. */
function linesOf(
  { rows, cols }: DraftMatrix,
  random: Random,
): { count: number; at: (i: number, j: number) => number } {
  return random.int(0, 1) === 0 ? { count: rows, at: (i) => i } : { count: cols, at: (_, j) => j };
}

/** Computes one number for each line, such as its sum. */
function perLine(
  table: DraftMatrix,
  random: Random,
  of: (x: number) => number,
): { sums: Float64Array; at: (i: number, j: number) => number; length: number } {
  const { count, at } = linesOf(table, random);
  const sums = new Float64Array(count);
  mapEntries(table, (x, i, j) => {
    sums[at(i, j)] += of(x);
    return x;
  });
  return { sums, at, length: table.data.length / Math.max(1, count) };
}

const divided: DraftChange = (table, random) => {
  const isLength = random.int(0, 1) === 0;
  const { sums, at } = perLine(table, random, isLength ? (x) => x * x : Math.abs);
  mapEntries(table, (x, i, j) => {
    const sum = sums[at(i, j)];
    const size = isLength ? Math.sqrt(sum) : sum;
    return size === 0 ? 0 : (isLength ? x : Math.abs(x)) / size;
  });
};

const centered: DraftChange = (table, random) => {
  const { sums, at, length } = perLine(table, random, (x) => x);
  mapEntries(table, (x, i, j) => x - sums[at(i, j)] / length);
};

/** Makes some lines far larger, zero, equal, or constant. */
const someLines: DraftChange = (table, random) => {
  const { at, count } = linesOf(table, random);
  if (count === 0) return;
  const share = pickRandom(random, [1 / count, 0.05, random.uniform01()]);
  const chosen = Array.from({ length: count }, () => random.uniform01() < share);
  chosen[pickRandom(random, [0, count - 1, random.int(0, count - 1)])] = true;
  const [factor, one] = [drawPower(random, -10, 10), pickRandom(random, [0, 0, 1, -1, random.normal()])];
  const isScaled = random.int(0, 1) === 0;
  mapEntries(table, (x, i, j) => (chosen[at(i, j)] ? (isScaled ? factor * x : one) : x));
};

/** Gives each line a size of its own. */
const graded: DraftChange = (table, random) => {
  const { at, count } = linesOf(table, random);
  const most = drawPower(random, 0, 3.5);
  const sizes = Float64Array.from({ length: count }, () => 2 ** random.uniform(-most, most));
  mapEntries(table, (x, i, j) => x * sizes[at(i, j)]);
};

/** Changes a few entries, or many: to missing ones, or to outliers. */
const someEntries: DraftChange = (table, random) => {
  const { data } = table;
  const isFew = random.int(0, 1) === 0;
  const share = isFew ? 0.02 : random.uniform01();
  const [factor, one] = [drawPower(random, 0, 10), pickRandom(random, [0, 0, 0, 1, random.normal()])];
  const isScaled = random.int(0, 3) === 0;
  const change = (x: number) => (isScaled ? factor * x : one);
  mapEntries(table, (x) => (random.uniform01() < share ? change(x) : x));
  const only = data.length === 0 ? 0 : random.int(0, data.length - 1);
  if (isFew && data.length > 0) data[only] = change(data[only]);
};

/** Pads the matrix with zeros behind or below a drawn place, or both. */
const padded: DraftChange = (table, random) => {
  const { rows, cols } = table;
  const [below, behind] = [random.int(1, Math.max(1, rows)), random.int(1, Math.max(1, cols))];
  const which = random.int(0, 2);
  const isKept = (i: number, j: number) => (which === 1 || i < below) && (which === 0 || j < behind);
  mapEntries(table, (x, i, j) => (isKept(i, j) ? x : 0));
};

const moved: DraftChange = (table, random) => {
  const { rows, cols, data } = table;
  const before = data.slice();
  const [ofRows, ofCols] = [random.permutation(rows), random.permutation(cols)];
  data.set(makeDraft(rows, cols, (i, j) => before[ofRows[i] * cols + ofCols[j]]).data);
};

/** Possible changes of a matrix, which may be applied repeatedly. */
const changes: readonly DraftChange[] = [
  valued(() => Math.abs),
  valued(() => (x) => -x),
  valued(() => (x) => Math.max(0, x)),
  valued((random) => {
    const shift = pickRandom(random, [1, -1, random.normal(), 100 * random.normal()]);
    return (x) => x + shift;
  }),
  valued((random) => {
    const most = drawPower(random, -3, 3);
    return (x) => Math.min(most, Math.max(-most, x));
  }),
  valued((random) => {
    const unit = 2 ** random.int(-1, 12);
    return (x) => Math.round(x * unit) / unit;
  }),
  valued(() => (x) => x * x),
  valued(() => (x) => 1 / (1 + Math.abs(x))),
  valued(() => Math.sign),
  ...[divided, divided, centered, someLines, someLines, graded, someEntries, someEntries, padded, moved],
  ...[applyPattern, applyPattern, applyPattern],
];

const MOST = 3;

export function changeAtRandom(table: DraftMatrix, random: Random): void {
  for (let count = random.int(0, MOST); count > 0; count--) pickRandom(random, changes)(table, random);
}
