import { pickRandom, type Random } from '../../base/random.ts';
import type { Shape } from '../../matrix/dense.ts';
import type { Precision } from '../../precision/precision.ts';
import { changeAtRandom } from './changes.ts';
import { drawField } from './fields.ts';
import { type DraftGenerator, type DraftMatrix, makeDraft, mapTable } from './table.ts';

/** A and B before rounding to a format. */
export interface UnroundedPair {
  readonly a: DraftMatrix;
  readonly b: DraftMatrix;
}

/** Returns a matrix of a drawn kind with drawn changes. */
export const drawDraft: DraftGenerator = (rows, cols, random) => {
  const made = drawField(rows, cols, random);
  changeAtRandom(made, random);
  return made;
};

/** Reads entries of another matrix from given places, cyclically. */
const from = (
  { rows, cols, data }: DraftMatrix,
  place: (i: number, j: number) => readonly [number, number],
) => {
  return (i: number, j: number): number => {
    const [row, col] = place(i, j);
    return data[(row % rows) * cols + (col % cols)];
  };
};

/** Derives B from A: A itself, its transpose or its negative, moved or changed. */
function related(a: DraftMatrix, k: number, n: number, random: Random): DraftMatrix {
  const isTurned = random.int(0, 2) > 0;
  const entry = from(a, isTurned ? (p, j) => [j, p] : (p, j) => [p, j]);
  const factor = pickRandom(random, [1, 1, 1, -1, 2, random.normal()]);
  const b = makeDraft(k, n, (p, j) => factor * entry(p, j));
  if (random.int(0, 2) === 0) changeAtRandom(b, random);
  return b;
}

/** One pair in this many is related. */
const RELATED = 6;

/** Draws A and B, usually independently, sometimes B from A. */
export function drawPair({ m, k, n }: Shape, ofA: Random, ofB: Random): UnroundedPair {
  const a = drawDraft(m, k, ofA);
  const isRelated = ofB.int(1, RELATED) === 1 && a.data.length > 0;
  return { a, b: isRelated ? related(a, k, n, ofB) : drawDraft(k, n, ofB) };
}

/** Number of sampled rows and columns of a product, besides those of the largest entries. */
const LOOKED_AT = 24;
/** Least ratio of sums to a rough bound of their errors. */
const MARGIN = 40;

function linesOf(count: number, largest: number, random: Random): number[] {
  if (count <= LOOKED_AT) return Array.from({ length: count }, (_, at) => at);
  return [largest, ...Array.from({ length: LOOKED_AT }, () => random.int(0, count - 1))];
}

/** True if sums exceed their possible errors so far that a bound is informative. Sums that cancel are not. */
function isTelling({ a, b }: UnroundedPair, precision: Precision, random: Random): boolean {
  const k = a.cols;
  const columns = linesOf(b.cols, largestAt(b.data) % Math.max(1, b.cols), random);
  let [values, sizes] = [0, 0];
  for (const i of linesOf(a.rows, Math.floor(largestAt(a.data) / Math.max(1, k)), random)) {
    for (const j of columns) {
      let [sum, size] = [0, 0];
      for (let p = 0; p < k; p++) {
        const term = a.data[i * k + p] * b.data[p * b.cols + j];
        sum += term;
        size += Math.abs(term);
      }
      values += sum * sum;
      sizes += size * size;
    }
  }
  const { a: stored, multiplied, accumulated } = precision;
  const lost = k * accumulated.unitRoundoff + 2 * Math.max(stored.unitRoundoff, multiplied.unitRoundoff);
  return sizes > 0 && values >= (MARGIN * lost) ** 2 * sizes;
}

/** Drops signs where bounds would not be informative: without signs no sum cancels. */
export function dropUninformativeSigns(pair: UnroundedPair, precision: Precision, random: Random): void {
  if (isTelling(pair, precision, random)) return;
  for (const one of [pair.a, pair.b]) mapTable(one, Math.abs);
}

/** Returns the index of the largest entry. */
function largestAt(data: ArrayLike<number>): number {
  let most = 0;
  for (let at = 1; at < data.length; at++) if (Math.abs(data[at]) > Math.abs(data[most])) most = at;
  return most;
}

/** Returns the largest size of an entry, 0 where there is none. */
export const largestMagnitude = (data: ArrayLike<number>): number =>
  data.length === 0 ? 0 : Math.abs(data[largestAt(data)]);
