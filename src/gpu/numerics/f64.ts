import { addWgsl } from './f64-add.ts';
import { multiplyWgsl } from './f64-multiply.ts';
import { numberWgsl } from './f64-number.ts';
import type { Numeric } from './numeric.ts';

/**
 * IEEE 754 binary64 in 32-bit integer arithmetic: + and × rounded to nearest, ties to even, with subnormal
 * numbers, infinities, NaN and the signs of zeros; bit for bit what JavaScript computes. A multiply-add rounds the
 * product, then the sum. Entries lie in memory as little-endian doubles: x is the low word, y the high one.
 */
export const binary64: Numeric = {
  words: 2,
  enables: '',
  prelude: [numberWgsl, multiplyWgsl, addWgsl].join(''),
  lanes: false,
  memory: () => 'vec2<u32>',
  operand: () => 'F64Operand',
  value: () => 'F64',
  zero: () => 'f64ZeroOf(false)',
  load: (entry) => `f64Load(${entry})`,
  prepare: (entry) => `f64Prepare(${entry})`,
  splat: (operand) => operand,
  store: (value) => `f64Store(${value})`,
  multiplyAdd: (x, y, sum) => `f64MultiplyAdd(${x}, ${y}, ${sum})`,
  add: (a, b) => `f64Add(${a}, ${b})`,
  subtract: (a, b) => `f64Add(${a}, f64Negate(${b}))`,
  negate: (a) => `f64Negate(${a})`,
};
