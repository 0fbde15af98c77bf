import type { Code } from '../coding/code.ts';
import type { CodedFormat } from '../format.ts';
import { notStored } from '../messages.ts';
import { roundsUp } from './float-code.ts';

/** The parameters of a format of whole numbers, or of multiples of one unit. */
interface WholeSpec {
  readonly name: string;
  readonly what: string;
  readonly source: string;
  readonly bits: number;
  /** True for two's complement. */
  readonly signed: boolean;
  /** The unit of which its numbers are multiples. @defaultValue 1 */
  readonly unit?: number;
}

/**
 * Returns a format of the multiples of one unit. For bounds it is a floating-point format whose normal numbers have only the largest
 * exponent: from half the largest number up, rounding errs by at most 2^-precision of a number, below by half a unit. Sums and products
 * of its numbers are multiples of a unit, so nothing underflows. `round` gives NaN for numbers out of range.
 */
function wholeFormat({ name, what, source, bits, signed, unit = 1 }: WholeSpec): CodedFormat {
  const precision = signed ? bits - 1 : bits;
  const maxFinite = (2 ** precision - 1) * unit;
  const least = signed ? -(2 ** precision) * unit : 0;
  const code = wholeCode({ name, bits, signed, unit });
  return {
    ...{ name, what, source, code, precision, maxFinite },
    holds: { negative: signed, infinity: false, nan: false },
    // One bit less: 2^precision itself is not a number of the format.
    integerBits: Math.max(0, Math.floor(Math.log2(maxFinite))),
    unitRoundoff: 2 ** -precision,
    minNormal: 2 ** (precision - 1) * unit,
    minSubnormal: unit,
    bytes: Math.ceil(bits / 8),
    exceptions: false,
    underflow: { kept: 0, flushed: 0 },
    round(x) {
      const units = Math.abs(x) / unit;
      const whole = Math.floor(units);
      const rounded = Math.sign(x) * (whole + (roundsUp(whole, units - whole, x < 0, {}) ? 1 : 0)) * unit;
      return rounded >= least && rounded <= maxFinite ? rounded + 0 : Number.NaN;
    },
  };
}

/** Returns the code of a whole format. Conversions always saturate: there is neither infinity nor NaN. */
function wholeCode({ name, bits, signed, unit }: Required<Omit<WholeSpec, 'what' | 'source'>>): Code {
  const all = 2 ** bits;
  const most = signed ? all / 2 - 1 : all - 1;
  const least = signed ? -all / 2 : 0;
  return {
    bits,
    decode: (pattern) => (pattern > most ? pattern - all : pattern) * unit,
    encode(x, how = {}) {
      if (Number.isNaN(x)) throw notStored({ what: 'NaN', format: name });
      const units = Math.abs(x) / unit;
      const floor = Math.floor(units);
      const size = units < all ? floor + (roundsUp(floor, units - floor, x < 0, how) ? 1 : 0) : all;
      const whole = Math.min(most, Math.max(least, x < 0 ? -size : size));
      return whole < 0 ? whole + all : whole + 0;
    },
  };
}

const ONNX = 'ONNX, data types';
const GGML = 'llama.cpp, ggml-common.h';

/** Returns the numbers of two's complement. */
const signed = (bits: number, source: string): CodedFormat =>
  wholeFormat({
    name: `int${bits}`,
    what: `whole numbers from −${2 ** (bits - 1)} to ${2 ** (bits - 1) - 1}`,
    source,
    bits,
    signed: true,
  });

const unsigned = (bits: number, source: string): CodedFormat =>
  wholeFormat({
    name: `uint${bits}`,
    what: `whole numbers from 0 to ${2 ** bits - 1}`,
    source,
    bits,
    signed: false,
  });

export const int8 = signed(8, ONNX);
export const int6 = signed(6, GGML);
export const int4 = signed(4, ONNX);
export const int3 = signed(3, GGML);
export const uint8 = unsigned(8, ONNX);
export const uint6 = unsigned(6, GGML);
export const uint5 = unsigned(5, GGML);
export const uint4 = unsigned(4, ONNX);
export const uint2 = unsigned(2, GGML);

export const i32 = wholeFormat({
  name: 'i32',
  what: 'whole numbers from −2^31 to 2^31 − 1, which sums of products of whole numbers have',
  source: ONNX,
  bits: 32,
  signed: true,
});

export const mxint8 = wholeFormat({
  name: 'mxint8',
  what: 'multiples of 1/64 from −2 to 127/64, in two’s complement',
  source: 'OCP Microscaling Formats (MX) 1.0',
  bits: 8,
  signed: true,
  unit: 2 ** -6,
});

interface TableSpec {
  readonly name: string;
  readonly what: string;
  readonly source: string;
  /** Whole numbers in ascending order; the place of each is its pattern. */
  readonly numbers: readonly number[];
}

/**
 * Returns the format of the whole numbers of a table. It need not hold 0, nor the negative or half of a number. For bounds it is a
 * floating-point format whose normal numbers have only the largest exponent, as formats of all whole numbers are. Numbers beyond the
 * ends of the table become the ends.
 */
function tableFormat({ numbers, ...item }: TableSpec): CodedFormat {
  const [maxFinite, largest] = [numbers[numbers.length - 1], Math.max(...numbers.map(Math.abs))];
  const minNormal = 2 ** Math.floor(Math.log2(maxFinite));
  const code = tableCode(item.name, numbers);
  return {
    ...{ ...item, numbers, code, maxFinite, minNormal },
    precision: Math.floor(Math.log2(largest)) + 1,
    holds: { negative: numbers[0] < 0, infinity: false, nan: false },
    integerBits: 0,
    unitRoundoff: unitRoundoffOf(numbers, minNormal),
    minSubnormal: Math.min(...numbers.filter((x) => x > 0)),
    bytes: Math.ceil(code.bits / 8),
    exceptions: false,
    underflow: { kept: 0, flushed: 0 },
    round: (x) => (Number.isNaN(x) ? x : code.decode(code.encode(x))),
  };
}

/** Returns the largest relative error of rounding a number of normal size. */
const unitRoundoffOf = (numbers: readonly number[], minNormal: number): number =>
  Math.max(
    ...numbers.slice(1).map((high, at) => {
      const [middle, half] = [(high + numbers[at]) / 2, (high - numbers[at]) / 2];
      return Math.abs(middle) < minNormal ? 0 : half / Math.abs(middle);
    }),
  );

/** Returns the code of a table. Ties go to the even pattern. Conversions saturate: there is neither infinity nor NaN. */
function tableCode(name: string, numbers: readonly number[]): Code {
  const last = numbers.length - 1;
  return {
    bits: Math.ceil(Math.log2(numbers.length)),
    decode: (pattern) => numbers[pattern],
    encode(x, how = {}) {
      if (Number.isNaN(x)) throw notStored({ what: 'NaN', format: name });
      if (!(x > numbers[0])) return 0;
      if (!(x < numbers[last])) return last;
      const low = numbers.findLastIndex((one) => one <= x);
      const [below, above] = [numbers[low], numbers[low + 1]];
      // Rounding is that of a magnitude, which grows downward from a number below zero.
      const [from, place, step] = below < 0 && x > below ? [above, low + 1, -1] : [below, low, 1];
      const rest = Math.abs(x - from) / (above - below);
      return place + (roundsUp(place, rest, step < 0, how) ? step : 0);
    },
  };
}

export const iq4nl = tableFormat({
  name: 'iq4nl',
  what: '16 whole numbers from −127 to 113, denser near 0, which is none of them',
  source: 'llama.cpp, kvalues_iq4nl of ggml-common.h',
  numbers: [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113],
});
