import type { Arithmetic } from '../../formats/arithmetic.ts';
import { type PrecisionName, precisions } from '../../formats/precision.ts';
import type { Real, Shape } from '../../matrix/dense.ts';
import { double } from './double.ts';
import { half } from './half.ts';
import { mixed } from './mixed.ts';
import { pairs } from './pairs.ts';
import { single } from './single.ts';

/** What the mirror computes with: the numbers of a precision, each stored as one number of a typed array. */
export interface Scalars {
  create(length: number): Real;
  /** From a number to what is stored for it; absent where that is the number itself. */
  readonly encode?: (x: number) => number;
  /** From what is stored to the number, rounded to double where it has more bits. */
  readonly decode?: (stored: number) => number;
  negate(a: number): number;
  add(a: number, b: number): number;
  /**
   * The leaf product as every leaf kernel computes it: out = x·y, each entry summed sequentially over k from zero.
   * x is m×k, y is k×n, out is m×n, all row-major.
   */
  multiply(x: Real, y: Real, shape: Shape, out: Real): void;
}

const table: Readonly<Record<PrecisionName, (arithmetic: Arithmetic) => Scalars>> = {
  f32: single,
  f16: half,
  'f16-f32': (arithmetic) => mixed(precisions['f16-f32'].operands, arithmetic),
  'bf16-f32': (arithmetic) => mixed(precisions['bf16-f32'].operands, arithmetic),
  'tf32-f32': (arithmetic) => mixed(precisions['tf32-f32'].operands, arithmetic),
  f64: () => double,
  f32x2: pairs,
};

/** The numbers of an arithmetic's precision, computed with as the device does. */
export function scalarsFor(arithmetic: Arithmetic): Scalars {
  return table[arithmetic.precision](arithmetic);
}
