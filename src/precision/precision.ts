import type { Item } from '../base/registry.ts';
import type { Real, Shape } from '../matrix/dense.ts';
import {
  type Arithmetic,
  type ArithmeticClaims,
  assumed,
  type OperandArithmetic,
  type ResultArithmetic,
  type ZeroPointPlace,
} from './arithmetic.ts';
import type { Coding, Operand } from './coding/coding.ts';
import type { Format } from './format.ts';
import { type ClaimedSums, fewestBits, runningIn, type Sums, sumsOf } from './sums.ts';
import type { Numeric } from './wgsl/numeric.ts';

/** What a product is computed in. One record says all: nothing else knows a precision by its name. */
export interface Precision extends Item {
  /** The formats of the entries of A, B, C and D as stored. */
  readonly a: Format;
  readonly b: Format;
  readonly c: Format;
  readonly d: Format;
  /** What leaf products round their operands to before they multiply; the stored format where they do not. */
  readonly multiplied: Format;
  /** What every sum and product is rounded to; complete sums once more to the format of D, where that is narrower. */
  readonly accumulated: Format;
  /** What alpha and beta are rounded to. @defaultValue the format of sums */
  readonly factors?: Format | undefined;
  /** How operands reach kernels that are not to get the numbers themselves, which are of the formats `a` and `b`. */
  readonly coded?: { readonly [of in Operand]?: Coding | undefined } | undefined;
  /** How often an operand may be rounded on its way from what is stored to a product, in the format of sums. @defaultValue never */
  readonly decoding?: { readonly roundings: number } | undefined;
  /** Whether entries are pairs of a real and an imaginary part, of which the formats are. @defaultValue false */
  readonly complex?: boolean | undefined;
  /** What the mirror computes with, in such arithmetic. */
  host(arithmetic: Arithmetic): HostNumbers;
  /** How a device computes in it; or why it cannot, as a clause after "because": no device, where it is a text. */
  readonly wgsl: string | ((device: DeviceFacts) => Promise<Wgsl | string> | Wgsl | string);
}

/** A precision, and how a machine computes in it. */
export interface Computation {
  readonly precision: Precision;
  readonly arithmetic: Arithmetic;
  /** What is claimed of the sums of products. @defaultValue one running sum in the format of sums, in any order */
  readonly sums?: Sums | undefined;
  /** What is claimed of rounding operands. @defaultValue to nearest, subnormals kept */
  readonly operands?: OperandArithmetic | undefined;
  /** What is claimed of rounding results that are narrower than sums. @defaultValue to nearest, without saturation */
  readonly result?: ResultArithmetic | undefined;
  /** Where zero points are claimed to be subtracted. @defaultValue from elements */
  readonly zeroPoints?: ZeroPointPlace | undefined;
}

/** The numbers of a precision, each stored as one number of a typed array, and what is computed with them. */
export interface HostNumbers {
  create(length: number): Real;
  /** From a number to what is stored for it; absent where that is the number itself. */
  readonly encode?: (x: number) => number;
  /** From what is stored to the number, rounded to double where it has more bits. */
  readonly decode?: (stored: number) => number;
  negate(a: number): number;
  add(a: number, b: number): number;
  /** c·x + sum by the multiply-add of the format of sums; all three as they are stored. */
  multiplyAdd(c: number, x: number, sum: number): number;
  /**
   * The leaf product as every leaf kernel computes it: out = x·y, each entry summed sequentially over k from zero.
   * x is m×k, y is k×n, out is m×n, all row-major.
   */
  multiply(x: Real, y: Real, shape: Shape, out: Real): void;
}

/** What a precision may ask of a device; what is measured is measured when it is first asked. */
export interface DeviceFacts {
  /** How it computes in binary32. */
  readonly arithmetic: Arithmetic;
  /** How it computes in binary16; undefined where it has none. */
  half(): Promise<Arithmetic | undefined>;
  /** Whether it multiplies four packed elements of int8 by four at once, exactly. */
  packedDots(): Promise<boolean>;
  /** Why its binary32 sums and products leave errors that cannot be recovered; undefined where they can. */
  losesErrors(): Promise<string | undefined>;
}

/** Types and expressions of WGSL, and what they compute. */
export interface Wgsl {
  readonly numeric: Numeric;
  readonly arithmetic: Arithmetic;
}

/** How a device computes in a precision; or why it cannot. */
export const wgslOf = async ({ wgsl }: Precision, device: DeviceFacts): Promise<Wgsl | string> =>
  typeof wgsl === 'string' ? wgsl : wgsl(device);

/** The formats of a precision whose matrices are all stored as one. */
export const storedAs = (format: Format): Pick<Precision, 'a' | 'b' | 'c' | 'd'> => ({
  a: format,
  b: format,
  c: format,
  d: format,
});

/** What a kernel of others claims of its arithmetic and its sums. */
export interface ClaimedArithmetic extends ClaimedSums {
  readonly arithmetic?: ArithmeticClaims | undefined;
}

/**
 * What a kernel of others computes in: what is measured of its machine, changed by what it claims. Whether it fuses
 * products and sums is its own affair, so that it is never compared with a mirror bit for bit.
 */
export function claimedIn(
  precision: Precision,
  {
    arithmetic: { operands, accumulator, result, zeroPoints, ...claims } = {},
    order,
    partition,
    parts,
    cut,
  }: ClaimedArithmetic = {},
  measured: Arithmetic = assumed,
): Computation {
  const exceptions = [measured, claims, precision.accumulated].every((one) => one.exceptions !== false);
  const arithmetic: Arithmetic = { ...measured, ...claims, fma: 'either', exceptions, modelled: false };
  const running = runningIn(precision, arithmetic, { ...claims, accumulator });
  const sums = sumsOf({ order, partition, parts, cut }, running);
  return {
    ...{ precision: withWholeNumbers(precision, fewestBits(running)), arithmetic },
    ...(sums === undefined ? {} : { sums }),
    ...(operands === undefined ? {} : { operands }),
    ...(result === undefined ? {} : { result }),
    ...(zeroPoints === undefined ? {} : { zeroPoints }),
  };
}

/** A precision whose sums of whole numbers stay exact in so many bits only, where they are fewer than its own. */
export function withWholeNumbers(precision: Precision, bits = Number.POSITIVE_INFINITY): Precision {
  const { accumulated } = precision;
  if (bits >= accumulated.integerBits) return precision;
  return { ...precision, accumulated: { ...accumulated, integerBits: bits } };
}
