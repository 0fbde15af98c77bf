import { mapNumbers } from '../base/numbers.ts';
import type { Matrix, RealArray } from '../matrix/dense.ts';
import { type Format, f32, f64, isWholeFormat } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';

/** Returns a rows×cols matrix whose entry (i, j) is `entry(i, j)`, drawn row by row and rounded once to the format. */
export function fillMatrix(
  rows: number,
  cols: number,
  entry: (i: number, j: number) => number,
  format: Format = f32,
): Matrix {
  const data = realsFor(format, rows * cols);
  const isOwn = format === f32 || format === f64;
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) data[at++] = isOwn ? entry(i, j) : format.round(entry(i, j));
  }
  return { rows, cols, data };
}

/** Replaces each entry of a matrix by a function of its value and its place, row by row. */
export function mapEntries({ cols, data }: Matrix, of: (x: number, i: number, j: number) => number): void {
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    data[at] = of(data[at], i, j);
    if (++j === cols) [i, j] = [i + 1, 0];
  }
}

/** Allocates an array for numbers of a format: doubles for formats wider than binary32. */
export function realsFor(format: Format, length: number): RealArray {
  return format.bytes > 4 ? new Float64Array(length) : new Float32Array(length);
}

/** Largest binary exponent of entries that are scaled into formats of few bits. Families with a longer reach would lose too much. */
export const FITTED = 11;

/**
 * True if entries are scaled into range after they are made: for whole numbers, and for formats with a shorter range than families
 * usually have.
 */
export const isFitted = ({ multiplied, accumulated }: Precision): boolean =>
  isWholeFormat(accumulated) || multiplied.maxFinite <= 64;

/** Returns the precision in which entries are made before they are scaled into range: binary32. */
export const beforeFitting = (precision: Precision): Precision => ({ ...precision, a: f32, b: f32 });

/** A pair, with the ideal product of its formula where that is known. */
interface Pair {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly ideal?: ((i: number, j: number) => number) | undefined;
}

/** Scales and rounds a pair to the entries of a precision: see {@link isFitted}. The ideal product is dropped where entries change. */
export function fittedPair<P extends Pair>(pair: P, { a, b, accumulated }: Precision): P {
  const left = fitted(pair.a, a, isWholeFormat(accumulated));
  const right = fitted(pair.b, b, isWholeFormat(accumulated));
  const isSame = left.isSame && right.isSame;
  return { ...pair, a: left.entries, b: right.entries, ideal: isSame ? pair.ideal : undefined };
}

/**
 * Multiplies a matrix by the power of two that brings its largest entry into range, near its end for whole numbers, and rounds it.
 * Numbers that are already in the format stay. Formats without a sign get absolute values.
 */
function fitted(from: Matrix, format: Format, hasWholeSums: boolean): { entries: Matrix; isSame: boolean } {
  const isSigned = !Number.isNaN(format.round(-format.minSubnormal));
  const data = isSigned ? Float64Array.from(from.data) : mapNumbers(from.data, Math.abs);
  const isHeld = data.every((x) => format.round(x) === x);
  const isSame = isHeld && data.every((x, at) => x === from.data[at]);
  const factor = isHeld ? 1 : factorFor(data, format, hasWholeSums);
  const entries = realsFor(format, data.length);
  // In formats with one zero, a zero loses its sign.
  for (let at = 0; at < data.length; at++) entries[at] = format.round(data[at] * factor);
  return { entries: { ...from, data: entries }, isSame };
}

function factorFor(data: Float64Array, { maxFinite }: Format, hasWholeSums: boolean): number {
  let largest = 0;
  for (const x of data) largest = Math.max(largest, Math.abs(x));
  const room = Math.floor(Math.log2(maxFinite / largest));
  return 2 ** (hasWholeSums ? room : Math.min(0, room));
}

/** Returns the reason why sums of k products of whole numbers might overflow. Undefined if they cannot. */
export function beyondWholeSums(k: number, { a, b, accumulated, name }: Precision): string | undefined {
  if (!isWholeFormat(accumulated)) return undefined;
  const most = (format: Format) => format.maxFinite + 1;
  return k * most(a) * most(b) <= accumulated.maxFinite
    ? undefined
    : `sums of ${k} products could leave the 32-bit integers of ${name}`;
}
