import { mapNumbers } from '../base/numbers.ts';
import type { Matrix } from '../matrix/dense.ts';
import { type Format, f32, isWhole } from '../precision/format.ts';
import type { Precision } from '../precision/precision.ts';
import { realsFor } from './fill.ts';

/** Entries up to 2^11 are brought into the range of formats of few bits; of what reaches farther too little would be left. */
export const FITTED = 11;

/**
 * Whether entries are brought into range once they are made: those of whole numbers, and of formats that do not reach as far as
 * families usually do.
 */
export const isFitted = ({ multiplied, accumulated }: Precision): boolean =>
  isWhole(accumulated) || multiplied.maxFinite <= 64;

/** What entries are made in, before they are brought into range: binary32 numbers. */
export const beforeFitting = (precision: Precision): Precision => ({ ...precision, a: f32, b: f32 });

/** A pair, and what its formula means where that is known. */
interface Pair {
  readonly a: Matrix;
  readonly b: Matrix;
  readonly ideal?: ((i: number, j: number) => number) | undefined;
}

/** A pair whose entries are those of a precision: see {@link isFitted}. Where they are no longer what a formula means, it goes. */
export function fittedPair<P extends Pair>(pair: P, { a, b, accumulated }: Precision): P {
  const left = fitted(pair.a, a, isWhole(accumulated));
  const right = fitted(pair.b, b, isWhole(accumulated));
  const isSame = left.isSame && right.isSame;
  return { ...pair, a: left.entries, b: right.entries, ideal: isSame ? pair.ideal : undefined };
}

/**
 * A matrix times the power of two that brings its largest entry into range, and of whole numbers near its end, rounded; numbers that
 * the format holds already are left. Formats without a sign get sizes.
 */
function fitted(from: Matrix, format: Format, hasWholeSums: boolean): { entries: Matrix; isSame: boolean } {
  const isSigned = !Number.isNaN(format.round(-format.minSubnormal));
  const data = isSigned ? Float64Array.from(from.data) : mapNumbers(from.data, Math.abs);
  const isHeld = data.every((x) => format.round(x) === x);
  const isSame = isHeld && data.every((x, at) => x === from.data[at]);
  const factor = isHeld ? 1 : factorFor(data, format, hasWholeSums);
  const entries = realsFor(format, data.length);
  // Of formats with one zero, a zero loses its sign.
  for (let at = 0; at < data.length; at++) entries[at] = format.round(data[at] * factor);
  return { entries: { ...from, data: entries }, isSame };
}

function factorFor(data: Float64Array, { maxFinite }: Format, hasWholeSums: boolean): number {
  let largest = 0;
  for (const x of data) largest = Math.max(largest, Math.abs(x));
  const room = Math.floor(Math.log2(maxFinite / largest));
  return 2 ** (hasWholeSums ? room : Math.min(0, room));
}

/** Why sums of so many products of whole numbers might leave their range; undefined where they cannot. */
export function beyondWholeSums(k: number, { a, b, accumulated, name }: Precision): string | undefined {
  if (!isWhole(accumulated)) return undefined;
  const most = (format: Format) => format.maxFinite + 1;
  return k * most(a) * most(b) <= accumulated.maxFinite
    ? undefined
    : `sums of ${k} products could leave the 32-bit integers of ${name}`;
}
