import type { Item } from '../base/registry.ts';
import { roundingTo } from '../base/rounding.ts';
import type { Code } from './coding/code.ts';
import { floatCode } from './formats/float-code.ts';

/** A binary floating-point number format, as the bounds and the exact product need to know it. */
export interface Format {
  readonly name: string;
  /** Significand bits, the implicit one included: 24 for binary32. */
  readonly precision: number;
  /** Sums and products of whole numbers up to 2^integerBits are exact. */
  readonly integerBits: number;
  /** u = 2^-precision, the largest relative error of one operation rounded to nearest; more where sums are not. */
  readonly unitRoundoff: number;
  /** The smallest positive normal number. */
  readonly minNormal: number;
  /** The smallest positive subnormal number. */
  readonly minSubnormal: number;
  /** The largest finite number. */
  readonly maxFinite: number;
  /** Bytes an entry takes in memory. */
  readonly bytes: number;
  /** The type of WGSL that is this format, where there is one. */
  readonly native?: 'f32' | 'f16';
  /** Whether infinities and NaN compute as in IEEE 754, where the operations beneath do. */
  readonly exceptions: boolean;
  /**
   * What a product may lose beyond rounding: so many smallest subnormal numbers where they are kept, so many smallest
   * normal ones where they are flushed.
   */
  readonly underflow: { readonly kept: number; readonly flushed: number };
  /** Rounds a double to this format: to nearest, ties to even. */
  readonly round: (x: number) => number;
  /**
   * The largest error of rounding a number of a size or a smaller one, of formats whose relative error depends on the exponent. It never
   * falls. Such formats have one way of rounding, and what is too large becomes their largest number.
   * @defaultValue {@link unitRoundoff} of the size, and half the smallest number
   */
  readonly roundingError?: (size: number) => number;
  /** How bits stand for its numbers, of formats of few bits. */
  readonly code?: Code;
  /** The parts that its numbers are sums of, where they are multiplied part by part. */
  readonly split?: Split;
}

/**
 * Parts of a number: each is what those before leave of it, rounded to a format. Of the products of two numbers' parts i and j so many are
 * added, those of the smallest i + j.
 */
export interface Split {
  readonly of: Format;
  readonly count: number;
  readonly products: number;
}

/** A format whose bit patterns are known. */
export interface CodedFormat extends Format, Item {
  readonly source: string;
  readonly code: Code;
  /** What there is beside numbers that are finite and not negative. */
  readonly holds: { readonly negative: boolean; readonly infinity: boolean; readonly nan: boolean };
}

/** A multiply-add is three operations, at worst. */
const USUAL = { exceptions: true, underflow: { kept: 1, flushed: 3 } };

/**
 * An IEEE 754 interchange format, or one of the same make: subnormal numbers, infinities, NaN, ties to even.
 * @param precision significand bits, the implicit one included.
 * @param exponent of the smallest normal number; the largest has 1 − `exponent`.
 * @param bytes that an entry takes in memory: 4 where it is kept as binary32.
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
  what: 'bfloat16: 8 exponent and 7 fraction bits, those of binary32 cut off',
  source: 'Intel, BFLOAT16 hardware numerics definition, 2018',
  holds: HOLDS_ALL,
  code: floatCode({ ...IEEE_BITS, name: 'bf16', exponentBits: 8, fractionBits: 7, bias: 127 }),
};

/** TensorFloat-32: binary32's exponents, binary16's significand; stored as binary32. */
export const tf32: Format = binaryFormat('tf32', 11, -126);

/** IEEE 754 binary32. */
export const f32: Format = { ...binaryFormat('f32', 24, -126), native: 'f32', round: Math.fround };

/**
 * Sums of parts of a format, as 3xTF32 multiplies them (NVIDIA CUTLASS; of bf16 Henry, Tang, Heinecke 2019). Rounded to nearest, i parts of p bits
 * leave 2^(1 − i(p + 1)) at most: what is left of a number of exponent e is at most 2^(e − p), and of that 2^(e − 2p − 1).
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

/** The sum of so many parts of a number, each rounded so. */
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
 * Float-float: the unevaluated sum of two binary32 numbers, the second at most half a unit in the last place of the
 * first. Its unit roundoff is that of its operations, 7·2^-48 for the product (Joldes, Muller, Popescu, *Tight and
 * rigorous error bounds for basic building blocks of double-word arithmetic*, 2017), plus what two binary32 numbers
 * lose when they are read as one double.
 */
export const f32x2: Format = {
  name: 'f32x2',
  precision: 48,
  // The low parts of a sum are added in binary32: they must leave room for each other.
  integerBits: 44,
  unitRoundoff: 7.25 * 2 ** -48,
  minNormal: 2 ** -126,
  minSubnormal: 2 ** -149,
  maxFinite: f32.maxFinite,
  bytes: 8,
  // The parts of an infinite number meet as Inf − Inf.
  exceptions: false,
  // Each of the operations of a sum or product may lose the smallest number.
  underflow: { kept: 24, flushed: 24 },
  round: (x) => {
    const high = Math.fround(x);
    const rest = x - high;
    // A high part that is −0 keeps its sign.
    return rest === 0 || !Number.isFinite(high) ? high : high + Math.fround(rest);
  },
};

/** Whether every number of one format is one of another. */
export const holdsAll = (wide: Format, { precision, minSubnormal, maxFinite }: Format): boolean =>
  wide.precision >= precision && wide.minSubnormal <= minSubnormal && wide.maxFinite >= maxFinite;

/** True of the format of sums of whole numbers: exact, in a range that they may leave. */
export const isWhole = ({ unitRoundoff, minSubnormal }: Format): boolean =>
  unitRoundoff === 0 && minSubnormal === 1;

/** The magnitudes below which a format's results may be flushed, by when a device looks at them. */
export function tinyOf({ minNormal, precision }: Pick<Format, 'minNormal' | 'precision'>) {
  return {
    /** The exact result is subnormal. */
    beforeRounding: minNormal,
    /** It is still subnormal when rounded to all its bits as if exponents had no lower end (x86, IEEE 754 §7.5). */
    afterRounding: minNormal * (1 - 2 ** -(precision + 1)),
    /** It is still subnormal when rounded to the subnormals' spacing. */
    afterDenormalising: minNormal * (1 - 2 ** -precision),
  };
}
