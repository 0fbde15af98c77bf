import type { Item } from '../base/registry.ts';
import { roundingTo } from '../base/rounding.ts';
import type { Code } from './coding/code.ts';
import { floatCode } from './formats/float-code.ts';

/** A binary floating-point number format, with the properties that the bounds and the exact product need. */
export interface Format {
  readonly name: string;
  /** Significand bits, the implicit one included: 24 for binary32. */
  readonly precision: number;
  /** The exponent of the largest range of whole numbers, up to 2^integerBits, whose sums and products are exact. */
  readonly integerBits: number;
  /** u = 2^-precision, the largest relative error of one operation rounded to nearest; more if sums do not round to nearest. */
  readonly unitRoundoff: number;
  /** The smallest positive normal number. */
  readonly minNormal: number;
  /** The smallest positive subnormal number. */
  readonly minSubnormal: number;
  /** The largest finite number. */
  readonly maxFinite: number;
  /** The bytes of an entry in memory. */
  readonly bytes: number;
  /** The WGSL type of this format, if there is one. */
  readonly native?: 'f32' | 'f16';
  /** True if infinities and NaN compute as in IEEE 754, provided that the operations beneath do. */
  readonly exceptions: boolean;
  /**
   * The loss of a product beyond rounding: `kept` smallest subnormal numbers if they are kept, `flushed` smallest normal ones if they
   * are flushed.
   */
  readonly underflow: { readonly kept: number; readonly flushed: number };
  /** Rounds a double to this format: to nearest, ties to even. */
  readonly round: (x: number) => number;
  /**
   * Returns the largest error of rounding a number up to a size, for formats whose relative error depends on the exponent. It is
   * monotonic. Such formats have one way of rounding, and numbers that are too large become their largest number.
   * @defaultValue {@link unitRoundoff} of the size, and half the smallest number
   */
  readonly roundingError?: (size: number) => number;
  /** The mapping between bits and numbers, for formats of few bits. */
  readonly code?: Code;
  /** All numbers in ascending order, for formats given by a table. They may lack 0, and negatives and halves of numbers. */
  readonly numbers?: readonly number[];
  /** The parts into which its numbers are split, if they are multiplied part by part. */
  readonly split?: FormatSplit;
}

/**
 * A split of numbers into parts. Each part is the remainder of those before, rounded to a format. Of the products of two numbers' parts
 * i and j, `products` are added, those of the smallest i + j.
 */
export interface FormatSplit {
  readonly of: Format;
  readonly count: number;
  readonly products: number;
}

/** A format with known bit patterns. */
export interface CodedFormat extends Format, Item {
  readonly source: string;
  readonly code: Code;
  /** The kinds of values beyond nonnegative finite numbers. */
  readonly holds: { readonly negative: boolean; readonly infinity: boolean; readonly nan: boolean };
}

/** A multiply-add takes three operations, at worst. */
const USUAL = { exceptions: true, underflow: { kept: 1, flushed: 3 } };

/**
 * Returns an IEEE 754 interchange format, or one of the same make: subnormal numbers, infinities, NaN, ties to even.
 * @param precision significand bits, the implicit one included.
 * @param exponent of the smallest normal number; the largest has 1 − `exponent`.
 * @param bytes of an entry in memory: 4 if it is kept as binary32.
 */
export function binaryFormat(name: string, precision: number, exponent: number, bytes = 4): Format {
  const maxFinite = (2 - 2 ** (1 - precision)) * 2 ** (1 - exponent);
  return {
    ...USUAL,
    name,
    precision,
    integerBits: precision,
    unitRoundoff: 2 ** -precision,
    minNormal: 2 ** exponent,
    minSubnormal: 2 ** (exponent - precision + 1),
    maxFinite,
    bytes,
    round: roundingTo(precision, exponent, maxFinite),
  };
}

const IEEE_BITS = { signed: true, specials: 'ieee' } as const;
const HOLDS_ALL = { negative: true, infinity: true, nan: true };

/** IEEE 754 binary16. */
export const f16: CodedFormat = {
  ...binaryFormat('f16', 11, -14, 2),
  what: 'binary16: 5 exponent and 10 fraction bits',
  source: 'IEEE 754-2019',
  native: 'f16',
  holds: HOLDS_ALL,
  code: floatCode({ ...IEEE_BITS, name: 'f16', exponentBits: 5, fractionBits: 10, bias: 15 }),
};

/** bfloat16: binary32's exponents, 8 significand bits. */
export const bf16: CodedFormat = {
  ...binaryFormat('bf16', 8, -126, 2),
  what: 'bfloat16: 8 exponent and 7 fraction bits, the upper half of binary32',
  source: 'Intel, BFLOAT16 hardware numerics definition, 2018',
  holds: HOLDS_ALL,
  code: floatCode({ ...IEEE_BITS, name: 'bf16', exponentBits: 8, fractionBits: 7, bias: 127 }),
};

/** TensorFloat-32: binary32's exponents, binary16's significand; stored as binary32. */
export const tf32: Format = binaryFormat('tf32', 11, -126);

/** IEEE 754 binary32. */
export const f32: Format = { ...binaryFormat('f32', 24, -126), native: 'f32', round: Math.fround };

/**
 * Returns a format of sums of parts, as 3xTF32 multiplies them (NVIDIA CUTLASS; for bf16 Henry, Tang, Heinecke 2019). Rounded to
 * nearest, i parts of p bits leave at most 2^(1 − i(p + 1)): the remainder of a number of exponent e is at most 2^(e − p), and that of
 * the remainder 2^(e − 2p − 1).
 */
export function splitFormat(of: Format, count: number, products: number): Format {
  const { precision, integerBits, minNormal, minSubnormal, maxFinite } = of;
  return {
    ...USUAL,
    ...{ name: `${of.name}x${products}`, precision: count * precision, integerBits },
    ...{ minNormal, minSubnormal, maxFinite, bytes: 4, split: { of, count, products } },
    unitRoundoff: 2 ** (1 - count * (precision + 1)),
    round: inParts(of.round, count),
  };
}

/** Returns a function that rounds a number to the sum of `count` parts, each rounded by `round`. */
export function inParts(round: (x: number) => number, count: number): (x: number) => number {
  return (x) => {
    let sum = round(x);
    for (let part = 1; part < count && Number.isFinite(sum) && sum !== x; part++) sum += round(x - sum);
    return sum;
  };
}

/** IEEE 754 binary64. */
export const f64: Format = {
  ...USUAL,
  name: 'f64',
  precision: 53,
  integerBits: 53,
  unitRoundoff: 2 ** -53,
  minNormal: 2 ** -1022,
  minSubnormal: 2 ** -1074,
  maxFinite: Number.MAX_VALUE,
  bytes: 8,
  round: (x) => x,
};

/**
 * Float-float: the unevaluated sum of two binary32 numbers, the second at most half a unit in the last place of the first. Its unit
 * roundoff is that of its operations, 7·2^-48 for the product (Joldes, Muller, Popescu, *Tight and rigorous error bounds for basic
 * building blocks of double-word arithmetic*, 2017), plus the loss of reading two binary32 numbers as one double.
 */
export const f32x2: Format = {
  name: 'f32x2',
  precision: 48,
  // The low parts of a sum are added in binary32, so they must leave room for each other.
  integerBits: 44,
  unitRoundoff: 7.25 * 2 ** -48,
  minNormal: 2 ** -126,
  minSubnormal: 2 ** -149,
  maxFinite: f32.maxFinite,
  bytes: 8,
  // The parts of an infinite number meet as Inf − Inf.
  exceptions: false,
  // Each operation of a sum or product may lose the smallest number.
  underflow: { kept: 24, flushed: 24 },
  round: (x) => {
    const high = Math.fround(x);
    const rest = x - high;
    // A high part of −0 keeps its sign.
    return rest === 0 || !Number.isFinite(high) ? high : high + Math.fround(rest);
  },
};

/** True if every number of the second format is one of the first. */
export const holdsAll = (wide: Format, { precision, minSubnormal, maxFinite }: Format): boolean =>
  wide.precision >= precision && wide.minSubnormal <= minSubnormal && wide.maxFinite >= maxFinite;

/** True if a format has a zero. */
export const holdsZero = ({ round }: Format): boolean => round(0) === 0;

/** True if the format is one of exact sums of whole numbers, in a range that they may leave. */
export const isWholeFormat = ({ unitRoundoff, minSubnormal }: Format): boolean =>
  unitRoundoff === 0 && minSubnormal === 1;

/** Returns the magnitudes below which a device may flush a format's results, by the moment of its check. */
export function tinyOf({ minNormal, precision }: Pick<Format, 'minNormal' | 'precision'>) {
  return {
    /** For a check of the exact result: it is subnormal. */
    beforeRounding: minNormal,
    /** For a check after rounding to all bits with an unbounded exponent range: the result is still subnormal (x86, IEEE 754 §7.5). */
    afterRounding: minNormal * (1 - 2 ** -(precision + 1)),
    /** For a check after rounding to the subnormals' spacing: the result is still subnormal. */
    afterDenormalizing: minNormal * (1 - 2 ** -precision),
  };
}
