/** A binary floating-point number format, as the bounds and the exact product need to know it. */
export interface Format {
  readonly name: string;
  /** Significand bits, the implicit one included: 24 for binary32. */
  readonly precision: number;
  /** u = 2^-precision: the largest relative error of one operation rounded to nearest. */
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

/** IEEE 754 binary32. */
export const f32: Format = {
  name: 'f32',
  precision: 24,
  unitRoundoff: 2 ** -24,
  minNormal: 2 ** -126,
  minSubnormal: 2 ** -149,
  maxFinite: (2 - 2 ** -23) * 2 ** 127,
  bytes: 4,
  round: Math.fround,
};

/** IEEE 754 binary64. */
export const f64: Format = {
  name: 'f64',
  precision: 53,
  unitRoundoff: 2 ** -53,
  minNormal: 2 ** -1022,
  minSubnormal: 2 ** -1074,
  maxFinite: Number.MAX_VALUE,
  bytes: 8,
  round: (x) => x,
};
