import type { Matrix } from '../../matrix/dense.ts';
import { lineAccessOf, listBlocks, type Region, scaleSize } from '../coding/coding.ts';
import { toWhole } from '../coding/fill.ts';
import { f16 } from '../format.ts';
import {
  type ActivationScheme,
  type CodeSteps,
  type CodeTies,
  type Division,
  LARGEST,
  type QuantizedOperand,
} from './schemes.ts';

/** An operand as a kernel multiplies it after quantization. */
export interface OperandReading {
  /** The numbers that the codes of the first sequence of operations stand for. */
  readonly decoded: Matrix<Float64Array>;
  /** The most by which the other sequences change each number; infinite where a factor overflows. */
  readonly doubt: Float64Array;
  /** The most by which the kept sum of each block differs from the sum of its decoded numbers, block by block; absent without sums. */
  readonly sums?: Matrix<Float64Array> | undefined;
  /** True if no number changed, and all factors are powers of two: then sums of whole numbers stay whole. */
  readonly isUnchanged: boolean;
}

/** Quantizes a matrix, with its size after op, as the documented sequences of a scheme do. */
export function readOperand(x: Matrix, { of, scheme, block, steps }: QuantizedOperand): OperandReading {
  const { lines, entries, at } = lineAccessOf(x, of);
  const decoded = new Float64Array(x.data.length);
  const doubt = new Float64Array(x.data.length);
  const { rows, cols } = scaleSize(x, of, block);
  const sums: number[] = [];
  let isUnchanged = true;
  for (const region of listBlocks({ lines: [0, lines], entries: [0, entries] }, block)) {
    const places = placesOf(region, at);
    const values = Float64Array.from(places, (place) => x.data[place]);
    const all = steps.map((one) => codeBlock(values, scheme, one));
    const [first] = all;
    for (const [e, place] of places.entries()) {
      decoded[place] = numberOf(first, e);
      doubt[place] = Math.max(...all.map((one) => one.doubt + Math.abs(numberOf(one, e) - decoded[place])));
    }
    sums.push(Math.max(...all.map((one) => errorOfSum(values, one))));
    isUnchanged &&= isPower(first.kept) && places.every((place) => decoded[place] === x.data[place]);
  }
  return {
    decoded: { rows: x.rows, cols: x.cols, data: decoded },
    ...{ doubt, isUnchanged },
    ...(scheme.hasSums === true ? { sums: { rows, cols, data: Float64Array.from(sums) } } : {}),
  };
}

function placesOf({ lines, entries }: Region, at: (line: number, entry: number) => number): number[] {
  const places: number[] = [];
  for (let line = lines[0]; line < lines[1]; line++) {
    for (let entry = entries[0]; entry < entries[1]; entry++) places.push(at(line, entry));
  }
  return places;
}

/** A zero has no sign, whatever the sign of its factor. */
const numberOf = ({ codes, zero, kept }: CodedBlock, e: number): number => (codes[e] - zero) * kept + 0;

/** True for powers of two, and for 0. */
const isPower = (x: number): boolean => x === 0 || Math.log2(Math.abs(x)) % 1 === 0;

/**
 * Bounds the error of a kept sum: that of its codes times the factor, or of the numbers themselves added in binary32, rounded to binary16.
 */
function errorOfSum(values: Float64Array, { codes, factor, kept, doubt }: CodedBlock): number {
  const ofCodes = codes.reduce((sum, code) => sum + code, 0);
  const [ofValues, size] = values.reduce(([sum, all], x) => [sum + x, all + Math.abs(x)], [0, 0]);
  const byCodes = Math.abs(f16.round(Math.fround(ofCodes * factor)) - ofCodes * kept);
  const rounding = f16.unitRoundoff * Math.abs(ofValues) + f16.minSubnormal;
  const byValues = Math.abs(ofValues - ofCodes * kept) + rounding + 2 ** -23 * values.length * size;
  return Math.max(byCodes, byValues) + 2 * values.length * doubt;
}

/** A block of numbers as codes: each stands for (code − zero) · kept. */
interface CodedBlock {
  readonly codes: Float64Array;
  readonly zero: number;
  /** The factor as it was computed, in binary32. */
  readonly factor: number;
  /** The factor as it is kept. */
  readonly kept: number;
  /** The most by which each number may differ: 0 where the sequence of operations decides it. */
  readonly doubt: number;
}

const f32 = Math.fround;
/** The largest code of schemes with a zero point. */
const UNSIGNED = 255;

const rounded: Readonly<Record<CodeTies, (x: number) => number>> = {
  nearest: toWhole,
  'nearest-away': (x) => Math.sign(x) * Math.round(Math.abs(x)),
};

/** Returns the quotient of a number by a factor, from the factor and its reciprocal as a quotient of numbers. */
const divided: Readonly<Record<Division, (factor: number, inverse: number) => (x: number) => number>> = {
  reciprocal: (factor) => {
    const inverse = f32(1 / factor);
    return (x) => f32(x * inverse);
  },
  quotient: (_, inverse) => (x) => f32(x * inverse),
  fused: (_, inverse) => (x) => x * inverse,
  division: (factor) => (x) => f32(x / factor),
};

/** The factor of a block, its reciprocal, and the zero point before it is rounded. */
interface BlockFactor {
  readonly factor: number;
  readonly inverse: number;
  readonly zero: number;
}

/** The factors of a block from its least number, its greatest, and the first with the largest magnitude. */
const factors: Readonly<
  Record<ActivationScheme['range'], (least: number, most: number, largest: number) => BlockFactor>
> = {
  symmetric: (_, __, largest) => {
    const size = Math.abs(largest);
    return { factor: f32(size / LARGEST), inverse: f32(LARGEST / size), zero: 0 };
  },
  signed: (_, __, largest) => {
    const inverse = f32(-LARGEST / largest);
    return { factor: f32(1 / inverse), inverse, zero: 0 };
  },
  'zero-point': (least, most) => {
    const factor = f32(f32(Math.max(0, most) - Math.min(0, least)) / UNSIGNED);
    return { factor, inverse: f32(1 / factor), zero: f32(-Math.min(0, least) / factor) };
  },
};

/**
 * Codes a block of numbers of binary32 by a documented sequence of operations. A block of zeros has the factor 0. Where the factor, or
 * its reciprocal, is not a normal number, devices differ: any codes are possible, so these are 0 and all in doubt.
 */
function codeBlock(
  values: Float64Array,
  { range, block: { format } }: ActivationScheme,
  { rounding, division }: CodeSteps,
): CodedBlock {
  let [least, most, largest] = [Infinity, -Infinity, 0];
  for (const x of values) {
    least = Math.min(least, x);
    most = Math.max(most, x);
    if (Math.abs(x) > Math.abs(largest)) largest = x;
  }
  const zeros = { codes: new Float64Array(values.length), zero: 0, factor: 0, kept: 0 };
  if (largest === 0) return { ...zeros, doubt: 0 };
  const { factor, inverse, zero } = factors[range](least, most, largest);
  const kept = format.round(factor);
  if (![factor, inverse, f32(1 / factor), kept === 0 ? 1 : kept].every(isNormal))
    return { ...zeros, doubt: (UNSIGNED + 1) * Math.abs(kept) };
  const [quotient, round] = [divided[division](factor, inverse), rounded[rounding]];
  const [low, high] = range === 'zero-point' ? [0, UNSIGNED] : [-LARGEST - 1, LARGEST];
  const within = (code: number) => Math.min(high, Math.max(low, code));
  const point = within(round(zero));
  const codes = values.map((x) => within(round(quotient(x)) + point));
  return { codes, zero: point, factor, kept, doubt: 0 };
}

const isNormal = (x: number): boolean => Math.abs(x) >= 2 ** -126 && Number.isFinite(x);
