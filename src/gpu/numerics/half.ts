import type { Numeric, Width } from './numeric.ts';
import { roundHalf } from './rounding.ts';
import { single } from './single.ts';

const type = (width: Width): string => (width === 1 ? 'f16' : 'vec4<f16>');
const wide = (width: Width): string => (width === 1 ? 'f32' : 'vec4<f32>');
const rounded = (value: string, width: Width) => `roundHalf${width === 1 ? '' : '4'}(${value})`;

/** binary16 by the device's own f16; entries lie in memory as binary32 numbers, which holds them exactly. */
export const nativeHalf: Numeric = {
  ...single,
  enables: 'enable f16;\n',
  operand: type,
  value: type,
  zero: (width) => `${type(width)}()`,
  load: (entry, width) => `${type(width)}(${entry})`,
  prepare: (entry, width) => `${type(width)}(${entry})`,
  splat: (operand, width) => (width === 1 ? operand : `vec4<f16>(${operand})`),
  store: (value, width) => `${wide(width)}(${value})`,
};

/**
 * binary16 in binary32, every product and every sum rounded. One rounding to 24 bits before the one to 11 changes
 * nothing: 24 ≥ 2·11 + 2 (Figueroa, *When is double rounding innocuous?*, 1995).
 */
export const emulatedHalf: Numeric = {
  ...single,
  prelude: roundHalf.declaration,
  // Two roundings a multiply-add: code for four entries at a time takes longer to compile than it saves.
  lanes: false,
  multiplyAdd: (x, y, sum, width) => rounded(`${rounded(`${x} * ${y}`, width)} + ${sum}`, width),
  add: (a, b, width) => rounded(`${a} + ${b}`, width),
  subtract: (a, b, width) => rounded(`${a} - ${b}`, width),
};
