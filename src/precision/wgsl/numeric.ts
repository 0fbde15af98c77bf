import type { Coding, Operand } from '../coding/coding.ts';
import type { RoundingFunction } from './rounding.ts';

/** The number of entries of a row in one expression. */
export type Width = 1 | 4;

/**
 * A precision in WGSL: types, and expressions built from expressions. An entry lies in memory as `memory`; leaf products read it as
 * `operand`, prepared once for many products; sums are kept as `value`.
 *
 * Functions of the prelude may read `params.zero`, a u32 that is 0, although no compiler can know that: XOR with it makes a value
 * opaque.
 */
export interface Numeric {
  /** The 32-bit words of an entry in memory. */
  readonly words: 1 | 2;
  /** Converts a number to the double whose bytes represent it in memory; absent if that is the number itself. */
  readonly encode?: (x: number) => number;
  /** Converts such a double back to its number, rounded to double if it has more bits. */
  readonly decode?: (stored: number) => number;
  /** Directives that precede all other text, such as `enable f16;`, each with its line break. */
  readonly enables: string;
  /** Declarations: structures and functions. */
  readonly prelude: string;
  /** The codings that leaf products decode while loading operands. There are no lanes then. */
  readonly coded?: { readonly [of in Operand]?: Coding | undefined } | undefined;
  /**
   * The steps behind complete sums before they are stored: declarations of `fn behind(sum, product, i, j)` with their numbers at a
   * binding, and the count of their words. Sums are f32 then.
   */
  readonly behind?: { declare(binding: number): string; readonly words: ArrayLike<number> } | undefined;
  /** The rounding of complete sums in memory, in a separate pass, if results are narrower than sums. */
  readonly result?: RoundingFunction;
  /** True if types and expressions exist for four adjacent entries at a time. */
  readonly lanes: boolean;
  /** Returns the type of an entry in a storage buffer: 4 bytes, or 8. */
  memory(width: Width): string;
  operand(width: Width): string;
  value(width: Width): string;
  /** Returns the value +0. */
  zero(width: Width): string;
  /** Converts an entry in memory to a value, exactly. */
  load(entry: string, width: Width): string;
  /** Converts an entry in memory to an operand of a product. */
  prepare(entry: string, width: Width): string;
  /** Converts a number in an f32 to an operand, exactly. @defaultValue as from memory */
  readonly ofNumber?: (number: string) => string;
  /** The function that adds the products of four packed elements of 8 bits, if the device has it. */
  readonly dot?: 'dot4I8Packed' | undefined;
  /** Copies one operand to all lanes. */
  splat(operand: string, width: Width): string;
  /** Converts a value to an entry in memory, exactly. */
  store(value: string, width: Width): string;
  /** Returns a number as an operand, rounded to the format of sums. */
  constant(x: number, width: Width): string;
  /** Returns a value as an operand, without rounding, for sums with factors. */
  factorOf(value: string, width: Width): string;
  /** Returns x·y + sum of two operands and a value, rounded according to the precision. */
  multiplyAdd(x: string, y: string, sum: string, width: Width): string;
  /** Returns the rounded sum of two values; either may carry a minus sign: see {@link negate}. */
  add(a: string, b: string, width: Width): string;
  subtract(a: string, b: string, width: Width): string;
  negate(a: string, width: Width): string;
}

const type = (width: Width): string => (width === 1 ? 'f32' : 'vec4<f32>');

/** Formats a number as a WGSL literal. WGSL has no integers beyond 63 bits, so larger whole numbers take an exponent. */
export const literal = (x: number): string => (Math.abs(x) < 2 ** 63 ? `${x}` : x.toExponential());

/** binary32 as the device computes it. fma is explicit, since a compiler may contract `a*b + c` or not in each expression. */
export const single: Numeric = {
  words: 1,
  enables: '',
  prelude: '',
  lanes: true,
  memory: type,
  operand: type,
  value: type,
  zero: (width) => (width === 1 ? '0.0' : 'vec4<f32>()'),
  load: (entry) => entry,
  prepare: (entry) => entry,
  splat: (operand, width) => (width === 1 ? operand : `vec4<f32>(${operand})`),
  store: (value) => value,
  constant: (x, width) => `${type(width)}(${literal(Math.fround(x))})`,
  factorOf: (value) => value,
  multiplyAdd: (x, y, sum) => `fma(${x}, ${y}, ${sum})`,
  add: (a, b) => `${a} + ${b}`,
  subtract: (a, b) => `${a} - ${b}`,
  negate: (a) => `-${a}`,
};
