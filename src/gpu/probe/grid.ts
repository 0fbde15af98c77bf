/** The numbers of a binary format as a grid for rounding. */
export interface FormatGrid {
  readonly name: string;
  /** Significand bits. */
  readonly precision: number;
  /** The exponent of the smallest normal number. */
  readonly minExponent: number;
}

export const grid32: FormatGrid = { name: 'f32', precision: 24, minExponent: -126 };
export const grid16: FormatGrid = { name: 'f16', precision: 11, minExponent: -14 };

const double = new Float64Array(1);
const words = new BigUint64Array(double.buffer);

/** Returns the distance between neighboring numbers of the grid around x: one ulp (Goldberg 1991, with subnormals). */
export function spacing(x: number, { precision, minExponent }: FormatGrid): number {
  double[0] = x;
  const exponent = Number((words[0] >> 52n) & 0x7ffn) - 1023;
  return 2 ** (Math.max(exponent, minExponent) - precision + 1);
}

/** A way to round to whole numbers of ulps. */
export interface GridRounding {
  readonly name: string;
  readonly whole: (x: number) => number;
}

/** Rounding to nearest, ties to even: IEEE 754's default. */
export const nearestEven: GridRounding = {
  name: 'to nearest, ties to even',
  whole: (x) => {
    const down = Math.floor(x);
    const rest = x - down;
    if (rest === 0.5) return down % 2 === 0 ? down : down + 1;
    return rest < 0.5 ? down : down + 1;
  },
};

/** The rounding directions of IEEE 754-2019, §4.3, its default first. */
export const roundings: readonly GridRounding[] = [
  nearestEven,
  { name: 'to nearest, ties away from zero', whole: (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5) },
  { name: 'toward zero', whole: Math.trunc },
  { name: 'upward', whole: Math.ceil },
  { name: 'downward', whole: Math.floor },
];

/** Rounds x to the grid. This is exact up to the rounding: an ulp is a power of two. */
export function roundToGrid(x: number, grid: FormatGrid, rounding: GridRounding = nearestEven): number {
  const ulp = spacing(x, grid);
  return rounding.whole(x / ulp) * ulp;
}
