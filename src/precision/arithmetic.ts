/** The treatment of subnormal numbers. */
export type Subnormals = 'kept' | 'either' | Flushing;

/** The subnormal numbers that become zeros of their sign. */
export interface Flushing {
  /** True if subnormal operands of + − × and fma are flushed. */
  readonly operands: boolean;
  /** The magnitude below which exact results are flushed; 0 if subnormal results are kept. See `tinyOf` for its possible values. */
  readonly below: number;
}

/** The ways in which + and × may round. */
export const roundings = ['nearest', 'faithful', 'toward-zero', 'stochastic'] as const;
export type Rounding = (typeof roundings)[number];

/** The rounding of operands to a narrower format before the multiplication. */
export interface OperandArithmetic {
  /** @defaultValue 'nearest' */
  readonly rounding?: 'nearest' | 'toward-zero' | undefined;
  /** The treatment of subnormal numbers of the narrower format; `flushed` ones become zeros. @defaultValue 'kept' */
  readonly subnormals?: 'kept' | 'flushed' | undefined;
}

export const overflows = ['special', 'saturate', 'wraps'] as const;

/** The rounding of complete sums to a narrower format of results. */
export interface ResultArithmetic {
  /** @defaultValue 'nearest' */
  readonly rounding?: Rounding | undefined;
  /**
   * The result of a sum beyond the numbers of the format: `special` is infinity, or NaN if the format has none; otherwise it is the
   * format's largest number, or, for whole numbers, their last 32 bits. @defaultValue 'special'; whole numbers are promised to stay in
   * range
   */
  readonly overflow?: (typeof overflows)[number] | undefined;
}

export const zeroPointPlaces = ['first', 'last'] as const;
export type ZeroPointPlace = (typeof zeroPointPlaces)[number];

export const compensations = ['kahan', 'neumaier'] as const;
export type Compensation = (typeof compensations)[number];

/** The format of running sums, and the way in which products are added to them. */
export interface Accumulator {
  /**
   * The significand bits of a running sum, or of the window of a block-wise adder; at least those of the multiplied numbers. Products
   * reach a sum of more bits than its format as {@link Arithmetic.fma} claims: exact (`once`), or rounded to the format of sums
   * (`twice`).
   * @defaultValue those of the format of sums
   */
  readonly bits?: number | undefined;
  /**
   * The number of products in one addition. Exact products are aligned to the largest of them and the running sum, truncated after
   * `bits`, and added exactly, as matrix units do (Blanchard, Higham, Lopez, Mary, Pranesh, *Mixed precision block fused multiply-add*,
   * 2020; Fasi, Higham, Mikaitis, Pranesh, *Numerical behavior of NVIDIA tensor cores*, 2021).
   */
  readonly terms?: number | undefined;
  /** The number of terms after which the running sum is added to one in the format of sums, and restarts at zero. */
  readonly promoted?: number | undefined;
  /**
   * The compensation of each addition's error: subtracted from the next term (Kahan), or summed separately and added last (Neumaier). If
   * parts are claimed, it applies to each part.
   */
  readonly compensated?: Compensation | undefined;
}

/** A running sum: its accumulator, its rounding, and, if claimed, the way in which products reach it. */
export interface RunningSum extends Accumulator {
  readonly rounding: Rounding;
  readonly fma?: Arithmetic['fma'] | undefined;
}

/** True if products may be rounded to the format of sums before they reach a running sum of more bits. */
export const mayRoundProducts = (
  { bits = 0, terms, fma }: RunningSum,
  { precision }: { readonly precision: number },
): boolean => bits > precision && terms === undefined && fma !== 'once';

/** The properties of + − × and fma in one precision in which machines differ: measured on a device, or claimed by a kernel. */
export interface Arithmetic {
  /**
   * The rounding of + and ×. Roundings other than to nearest, ties to even, may err twice as much. Faithful: either neighbor of the
   * exact value; stochastic: either, drawn so that its mean is the exact value.
   */
  readonly rounding: Rounding;
  /** The roundings of fma(a, b, c): `once` takes the exact product, `twice` rounds it first. */
  readonly fma: 'once' | 'twice' | 'either';
  readonly subnormals: Subnormals;
  /** True if overflow gives infinity, and infinities and NaN compute as in IEEE 754. */
  readonly exceptions: boolean;
  /** True if these properties determine every finite result to the last bit, so that a bit-exact model may be compared. */
  readonly modeled: boolean;
}

/** An external kernel's claims about its arithmetic: some of these properties, and others that are not measured on devices. */
export interface ArithmeticClaims extends Partial<Omit<Arithmetic, 'exceptions'>> {
  /**
   * `nan`: as in IEEE 754, except that an infinity may become NaN, as when a sum's error is found by subtraction. `false` promises
   * nothing, so that such cases are inconclusive. @defaultValue true
   */
  readonly exceptions?: boolean | 'nan' | undefined;
  /** The rounding of operands to the multiplied format, if that is narrower than theirs. */
  readonly operands?: OperandArithmetic | undefined;
  /** The rounding of sums to the format of results, if that is narrower. */
  readonly result?: ResultArithmetic | undefined;
  /**
   * The place where zero points of coded operands are subtracted: from elements (`first`), or from sums of raw elements (`last`), which
   * may lose small terms. @defaultValue 'first'
   */
  readonly zeroPoints?: ZeroPointPlace | undefined;
  /** The accumulator. @defaultValue in the format of sums, one product after the other */
  readonly accumulator?: Accumulator | undefined;
}

/** The arithmetic of operations in integers or in a wider format: the same on every machine. */
export const emulated: Arithmetic = {
  rounding: 'nearest',
  fma: 'twice',
  subnormals: 'kept',
  exceptions: true,
  modeled: true,
};

/**
 * The assumed arithmetic if nothing can be measured: IEEE 754's, but subnormals may be flushed (as in compilers' fast modes), and
 * products may be added with one rounding or two. Its bit-exact model is one result among those that the bounds allow.
 */
export const assumed: Arithmetic = {
  rounding: 'nearest',
  fma: 'either',
  subnormals: 'either',
  exceptions: true,
  modeled: false,
};

const NEVER: Flushing = { operands: false, below: 0 };

/** Returns the flushing of the bit-exact model: none if either treatment is allowed. */
export const flushingOf = ({ subnormals }: Pick<Arithmetic, 'subnormals'>): Flushing =>
  typeof subnormals === 'string' ? NEVER : subnormals;
