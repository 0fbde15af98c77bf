import type { Item } from '../base/registry.ts';
import type { RealArray, Shape } from '../matrix/dense.ts';
import {
  type ActivationClaims,
  LARGEST,
  type QuantizedOperand,
  quantizedOperandOf,
} from './activations/schemes.ts';
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
import { type ClaimedSums, possibleRunningSums, type SumModel, sumModelOf, sumsWithin } from './sums.ts';
import type { Numeric } from './wgsl/numeric.ts';

/** A precision of products. One record describes it: no other code knows a precision by its name. */
export interface Precision extends Item {
  /** The formats of the entries of A, B, C and D as stored. */
  readonly a: Format;
  readonly b: Format;
  readonly c: Format;
  readonly d: Format;
  /** The format to which leaf products round their operands; the stored format if they do not. */
  readonly multiplied: Format;
  /** The format to which every sum and product is rounded. If D's format is narrower, complete sums are rounded to that once more. */
  readonly accumulated: Format;
  /** The format to which alpha and beta are rounded. @defaultValue the format of sums */
  readonly factors?: Format | undefined;
  /** The codings of operands that kernels receive as elements and factors. The decoded numbers have the formats `a` and `b`. */
  readonly coded?: { readonly [of in Operand]?: Coding | undefined } | undefined;
  /** The roundings of an operand between its stored form and a product, in the format of sums. @defaultValue none */
  readonly decoding?: { readonly roundings: number } | undefined;
  /** True if entries are pairs of a real and an imaginary part, to which the formats apply. @defaultValue false */
  readonly complex?: boolean | undefined;
  /** Returns the numbers of the bit-exact model in an arithmetic. */
  host(arithmetic: Arithmetic): HostNumbers;
  /**
   * The WGSL of a device in this precision, or the reason why it has none, as a clause after "because". A string means that no device
   * has any.
   */
  readonly wgsl: string | ((device: DeviceFacts) => Promise<Wgsl | string> | Wgsl | string);
}

/** A precision, with a machine's way of computing in it. */
export interface Computation {
  readonly precision: Precision;
  readonly arithmetic: Arithmetic;
  /** The claims about sums of products. @defaultValue one running sum in the format of sums, in any order */
  readonly sums?: SumModel | undefined;
  /** The claims about the rounding of operands. @defaultValue to nearest, subnormals kept */
  readonly operands?: OperandArithmetic | undefined;
  /** The claims about the rounding of results that are narrower than sums. @defaultValue to nearest, without saturation */
  readonly result?: ResultArithmetic | undefined;
  /** The claimed place where zero points are subtracted. @defaultValue from elements */
  readonly zeroPoints?: ZeroPointPlace | undefined;
  /** The claimed quantization of an operand while it is read. @defaultValue none */
  readonly activations?: QuantizedOperand | undefined;
}

/** The numbers of a precision, each stored as one number of a typed array, and their operations. */
export interface HostNumbers {
  create(length: number): RealArray;
  /** Encodes a number to its stored form; absent if that is the number itself. */
  readonly encode?: (x: number) => number;
  /** Decodes a stored number, rounded to double if it has more bits. */
  readonly decode?: (stored: number) => number;
  negate(a: number): number;
  add(a: number, b: number): number;
  /** Returns c·x + sum by the multiply-add of the format of sums; all three in stored form. */
  multiplyAdd(c: number, x: number, sum: number): number;
  /**
   * Computes the leaf product like every leaf kernel: out = x·y, each entry summed sequentially over k from zero. x is m×k, y is k×n,
   * out is m×n, all row-major.
   */
  multiply(x: RealArray, y: RealArray, shape: Shape, out: RealArray): void;
}

/** The facts about a device that precisions may ask for. Each is measured on first use. */
export interface DeviceFacts {
  /** The device's arithmetic in binary32. */
  readonly arithmetic: Arithmetic;
  /** Returns the device's arithmetic in binary16; undefined if it has none. */
  half(): Promise<Arithmetic | undefined>;
  /** Resolves to true if the device multiplies four packed elements of int8 by four at once, exactly. */
  packedDots(): Promise<boolean>;
  /** Returns the reason why errors of its binary32 sums and products cannot be recovered; undefined if they can. */
  losesErrors(): Promise<string | undefined>;
}

/** Types and expressions of WGSL, with their arithmetic. */
export interface Wgsl {
  readonly numeric: Numeric;
  readonly arithmetic: Arithmetic;
}

/** Returns a device's way to compute in a precision, or the reason why it cannot. */
export const wgslOf = async ({ wgsl }: Precision, device: DeviceFacts): Promise<Wgsl | string> =>
  typeof wgsl === 'string' ? wgsl : wgsl(device);

/** Returns the formats of a precision whose matrices all have the same stored format. */
export const setStoredFormat = (format: Format): Pick<Precision, 'a' | 'b' | 'c' | 'd'> => ({
  a: format,
  b: format,
  c: format,
  d: format,
});

/** An external kernel's claims about its arithmetic and its sums. */
export interface ClaimedArithmetic extends ClaimedSums {
  readonly arithmetic?: ArithmeticClaims | undefined;
  readonly activations?: ActivationClaims | undefined;
}

/**
 * Returns the computation of an external kernel: the measured arithmetic of its machine, changed by its claims. An external kernel may
 * fuse products and sums or not, so it is never compared with a bit-exact model.
 */
export function applyClaims(
  unquantized: Precision,
  {
    arithmetic: { operands, accumulator, result, zeroPoints, ...claims } = {},
    order,
    partition,
    parts,
    cut,
    partialSums,
    activations,
  }: ClaimedArithmetic = {},
  measured: Arithmetic = assumed,
): Computation {
  const quantized = quantizedOperandOf(unquantized, activations);
  const precision = quantized === undefined ? unquantized : quantizing(unquantized, quantized);
  const exceptions = [measured, claims, precision.accumulated].every((one) => one.exceptions !== false);
  const arithmetic: Arithmetic = { ...measured, ...claims, fma: 'either', exceptions, modeled: false };
  const running = possibleRunningSums(precision, arithmetic, { ...claims, accumulator });
  const sums = sumModelOf({ order, partition, parts, cut, partialSums }, running);
  return {
    ...{
      precision: withSums(precision, sumsWithin(precision.accumulated, running, sums?.partial)),
      arithmetic,
    },
    ...(sums === undefined ? {} : { sums }),
    ...(operands === undefined ? {} : { operands }),
    ...(result === undefined ? {} : { result }),
    ...(zeroPoints === undefined ? {} : { zeroPoints }),
    ...(quantized === undefined ? {} : { activations: quantized }),
  };
}

/** The largest numbers whose factors have products in binary32. */
const FARTHEST = 2 ** 60;

/**
 * Returns a precision with an operand that is quantized. Its NaN and infinities have no codes, nor have numbers whose factor or kept sum
 * overflows.
 * Multiplying codes by their factor takes a rounding.
 */
function quantizing(precision: Precision, { of, block, scheme }: QuantizedOperand): Precision {
  const { format } = block;
  const { multiplied, decoding, accumulated } = precision;
  const own = precision[of];
  const largest = scheme.hasSums === true ? format.maxFinite / block.entries : format.maxFinite * LARGEST;
  const maxFinite = Math.min(own.maxFinite, largest, FARTHEST);
  const { kept, flushed } = accumulated.underflow;
  const read: Format = { ...own, exceptions: false, maxFinite };
  return {
    ...precision,
    [of]: read,
    multiplied: multiplied === own ? read : multiplied,
    // Products of factors may underflow even if those of codes and factors do not.
    accumulated: { ...accumulated, underflow: { kept: kept * LARGEST, flushed: flushed * LARGEST } },
    decoding: { roundings: Math.max(1, decoding?.roundings ?? 0) },
  };
}

const withSums = (precision: Precision, accumulated: Format): Precision =>
  accumulated === precision.accumulated ? precision : { ...precision, accumulated };

/** Limits a precision to whole numbers whose sums stay exact in `bits` bits, if these are fewer than its own. */
export function withWholeNumbers(precision: Precision, bits = Number.POSITIVE_INFINITY): Precision {
  const { accumulated } = precision;
  if (bits >= accumulated.integerBits) return precision;
  return { ...precision, accumulated: { ...accumulated, integerBits: bits } };
}
