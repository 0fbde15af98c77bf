import type { Coding, Operand } from '../coding/coding.ts';
import type { RoundingFunction } from './rounding.ts';

/** How many entries of a row one expression stands for. */
export type Width = 1 | 4;

/**
 * A precision in WGSL: types, and expressions built from expressions. An entry lies in memory as `memory`; leaf
 * products read it as `operand`, prepared once for many products; sums are kept as `value`.
 *
 * Functions of the prelude may read `params.zero`, a u32 that is 0 and that no compiler can know to be: XOR with it
 * makes a value opaque.
 */
export interface Numeric {
  /** 32-bit words an entry takes in memory. */
  readonly words: 1 | 2;
  /** From a number to the double whose bytes stand for it in memory; absent where that is the number itself. */
  readonly encode?: (x: number) => number;
  /** Back again, rounded to double where it has more bits. */
  readonly decode?: (stored: number) => number;
  /** Directives that go before everything else, such as `enable f16;`, each with its line break. */
  readonly enables: string;
  /** Declarations: structures and functions. */
  readonly prelude: string;
  /** How leaf products read operands that lie as elements of few bits, decoded as they are loaded. Then there are no lanes. */
  readonly coded?: { readonly [of in Operand]?: Coding | undefined } | undefined;
  /** How complete sums are rounded in memory, in a pass of its own, where results are narrower than they. */
  readonly result?: RoundingFunction;
  /** Whether types and expressions exist for four neighbouring entries at a time. */
  readonly lanes: boolean;
  /** The type of an entry in a storage buffer: 4 bytes, or 8. */
  memory(width: Width): string;
  operand(width: Width): string;
  value(width: Width): string;
  /** The value +0. */
  zero(width: Width): string;
  /** From memory to a value, exactly. */
  load(entry: string, width: Width): string;
  /** From memory to an operand of a product. */
  prepare(entry: string, width: Width): string;
  /** From a whole number or another one in an f32 to an operand, exactly. @defaultValue as from memory */
  readonly ofNumber?: (number: string) => string;
  /** The function that adds the products of four packed elements of 8 bits, where all of them have it. */
  readonly dot?: 'dot4I8Packed' | undefined;
  /** One operand for all lanes. */
  splat(operand: string, width: Width): string;
  /** From a value to memory, exactly. */
  store(value: string, width: Width): string;
  /** A number as an operand, rounded to the format of sums. */
  constant(x: number, width: Width): string;
  /** A value as an operand, not rounded: what sums with factors multiply. */
  factorOf(value: string, width: Width): string;
  /** x·y + sum of two operands and a value, rounded as the precision says. */
  multiplyAdd(x: string, y: string, sum: string, width: Width): string;
  /** The rounded sum of two values; either may carry a minus sign: see {@link negate}. */
  add(a: string, b: string, width: Width): string;
  subtract(a: string, b: string, width: Width): string;
  negate(a: string, width: Width): string;
}
