import type { Numeric, Width } from './numeric.ts';

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
