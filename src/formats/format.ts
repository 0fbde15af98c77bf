import { roundingTo } from './rounding.ts';

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
  /** Rounds a double to this format: to nearest, ties to even. */
  readonly round: (x: number) => number;
}

/** An IEEE 754 interchange format, or one of the same make: `exponent` is that of the smallest normal number. */
function binary(name: string, precision: number, exponent: number, bytes: number): Format {
  const maxFinite = (2 - 2 ** (1 - precision)) * 2 ** (1 - exponent);
  return {
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

/** IEEE 754 binary16. */
export const f16: Format = binary('f16', 11, -14, 2);

/** bfloat16: binary32's exponents, 8 significand bits. */
export const bf16: Format = binary('bf16', 8, -126, 2);

/** TensorFloat-32: binary32's exponents, binary16's significand; stored as binary32. */
export const tf32: Format = binary('tf32', 11, -126, 4);

/** IEEE 754 binary32. */
export const f32: Format = { ...binary('f32', 24, -126, 4), round: Math.fround };

/** IEEE 754 binary64. */
export const f64: Format = {
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
  round: (x) => {
    const high = Math.fround(x);
    const rest = x - high;
    // A high part that is −0 keeps its sign.
    return rest === 0 || !Number.isFinite(high) ? high : high + Math.fround(rest);
  },
};
