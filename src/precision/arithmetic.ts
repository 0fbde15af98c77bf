/** What becomes of subnormal numbers. */
export type Subnormals = 'kept' | 'either' | Flushing;

/** Which of them become zeros of their sign. */
export interface Flushing {
  /** Operands of + − × and fma. */
  readonly operands: boolean;
  /** Exact results of smaller magnitude; 0 where subnormal results are kept. See `tinyOf` for the values it may have. */
  readonly below: number;
}

/** How + and × may round. */
export const roundings = ['nearest', 'faithful', 'toward-zero', 'stochastic'] as const;
export type Rounding = (typeof roundings)[number];

/** How entries are brought to a narrower format before they are multiplied. */
export interface OperandArithmetic {
  /** @defaultValue 'nearest' */
  readonly rounding?: 'nearest' | 'toward-zero' | undefined;
  /** Whether subnormal numbers of the narrower format become zeros. @defaultValue 'kept' */
  readonly subnormals?: 'kept' | 'flushed' | undefined;
}

export const overflows = ['special', 'saturate', 'wraps'] as const;

/** How complete sums come to the format of results, where that is narrower than theirs. */
export interface ResultArithmetic {
  /** @defaultValue 'nearest' */
  readonly rounding?: Rounding | undefined;
  /**
   * What a sum becomes that no number of the format is near: what the format has for it (`special`: infinity, else NaN), or its largest
   * number; of whole numbers, their last 32 bits. @defaultValue 'special'; whole numbers are promised to stay in range
   */
  readonly overflow?: (typeof overflows)[number] | undefined;
}

export const zeroPointPlaces = ['first', 'last'] as const;
export type ZeroPointPlace = (typeof zeroPointPlaces)[number];

export const compensations = ['kahan', 'neumaier'] as const;
export type Compensation = (typeof compensations)[number];

/** How running sums are kept, and how products reach them. */
export interface Accumulator {
  /**
   * Significand bits of a running sum, or of the window of a block-wise adder; no fewer than those of what is multiplied. Products reach a
   * sum of more bits than its format as {@link Arithmetic.fma} claims: exact (`once`), or rounded to the format of sums (`twice`).
   * @defaultValue those of the format of sums
   */
  readonly bits?: number | undefined;
  /**
   * Products that one addition takes at once: exact, all aligned to the largest of them and of the running sum, cut off
   * behind `bits`, and added exactly, as matrix units do (Blanchard, Higham, Lopez, Mary, Pranesh, *Mixed precision block
   * fused multiply-add*, 2020; Fasi, Higham, Mikaitis, Pranesh, *Numerical behavior of NVIDIA tensor cores*, 2021).
   */
  readonly terms?: number | undefined;
  /** After so many terms the running sum is added to one in the format of sums, and begins anew at zero. */
  readonly promoted?: number | undefined;
  /** What each addition loses is kept: subtracted from the next term (Kahan), or summed apart and added last (Neumaier); of each part, where parts are claimed. */
  readonly compensated?: Compensation | undefined;
}

/** A running sum, how it rounds, and how products reach it where that is claimed. */
export interface RunningSum extends Accumulator {
  readonly rounding: Rounding;
  readonly fma?: Arithmetic['fma'] | undefined;
}

/** True if products may be rounded to the format of sums before they reach a running sum of more bits. */
export const mayRoundProducts = (
  { bits = 0, terms, fma }: RunningSum,
  { precision }: { readonly precision: number },
): boolean => bits > precision && terms === undefined && fma !== 'once';

/** How + − × and fma are computed in one precision, as far as machines differ: measured of a device, or claimed by a kernel. */
export interface Arithmetic {
  /**
   * Of + and ×: what is not nearest, ties to even, may err twice as much. Faithful: either neighbour of the exact value;
   * stochastic: either, drawn with chances that make its mean the exact value.
   */
  readonly rounding: Rounding;
  /** Roundings of fma(a, b, c): `once` takes the product whole, `twice` rounds it first. */
  readonly fma: 'once' | 'twice' | 'either';
  readonly subnormals: Subnormals;
  /** Overflow gives infinity, and infinities and NaN compute as in IEEE 754. */
  readonly exceptions: boolean;
  /** All this gives every finite result to the last bit, so that a mirror may be compared. */
  readonly modelled: boolean;
}

/** What a kernel of others claims of its arithmetic: some of it, and what is not measured of devices. */
export interface ArithmeticClaims extends Partial<Omit<Arithmetic, 'exceptions'>> {
  /**
   * `nan`: as IEEE 754 has them, except that an infinity may become NaN, as where what a sum loses is found by subtraction; `false`
   * promises nothing, so that such cases are inconclusive. @defaultValue true
   */
  readonly exceptions?: boolean | 'nan' | undefined;
  /** How operands come to the format that is multiplied, where that is narrower than theirs. */
  readonly operands?: OperandArithmetic | undefined;
  /** How sums are rounded to the format of results, where that is narrower than theirs. */
  readonly result?: ResultArithmetic | undefined;
  /**
   * Where zero points of coded operands are subtracted: from elements (`first`), or from sums of raw elements (`last`), which lose what is small
   * beside them. @defaultValue 'first'
   */
  readonly zeroPoints?: ZeroPointPlace | undefined;
  /** How running sums are kept. @defaultValue in the format of sums, one product after the other */
  readonly accumulator?: Accumulator | undefined;
}

/** What is computed step by step in integers or in a wider format: the same on every machine. */
export const emulated: Arithmetic = {
  rounding: 'nearest',
  fma: 'twice',
  subnormals: 'kept',
  exceptions: true,
  modelled: true,
};

/**
 * What is assumed where nothing can be measured: IEEE 754's, in which subnormals may be flushed (as compilers' fast modes
 * do) and products may be added with one rounding or two. Its mirror is one result among those that the bounds allow.
 */
export const assumed: Arithmetic = {
  rounding: 'nearest',
  fma: 'either',
  subnormals: 'either',
  exceptions: true,
  modelled: false,
};

const NEVER: Flushing = { operands: false, below: 0 };

/** What a mirror flushes: nothing where either may be. */
export const flushingOf = ({ subnormals }: Pick<Arithmetic, 'subnormals'>): Flushing =>
  typeof subnormals === 'string' ? NEVER : subnormals;
