import { definePrecision } from './define-precision.ts';
import { f16 } from './format.ts';
import { type Precision, wgslOf } from './precision.ts';
import { type Numeric, single, type Width } from './wgsl/numeric.ts';

const type = (width: Width): string => (width === 1 ? 'f16' : 'vec4<f16>');
const wide = (width: Width): string => (width === 1 ? 'f32' : 'vec4<f32>');

/** binary16 by the device's own f16. Entries lie in memory as binary32 numbers, which hold them exactly. */
export const nativeHalf: Numeric = {
  ...single,
  enables: 'enable f16;\n',
  operand: type,
  value: type,
  zero: (width) => `${type(width)}()`,
  load: (entry, width) => `${type(width)}(${entry})`,
  prepare: (entry, width) => `${type(width)}(${entry})`,
  constant: (x, width) => `${type(width)}(${f16.round(x)})`,
  splat: (operand, width) => (width === 1 ? operand : `vec4<f16>(${operand})`),
  store: (value, width) => `${wide(width)}(${value})`,
};

const emulatedHalf = definePrecision({
  name: 'f16',
  what: 'binary16 throughout, every operation rounded',
  source: 'IEEE 754-2019',
  stored: f16,
});

/** binary16 by the device's own f16, in its arithmetic, if the device has it. */
export const halfPrecision: Precision = {
  ...emulatedHalf,
  async wgsl(device) {
    const arithmetic = await device.half();
    return arithmetic === undefined ? wgslOf(emulatedHalf, device) : { numeric: nativeHalf, arithmetic };
  },
};
