import type { Arithmetic } from '../../formats/arithmetic.ts';
import { type PrecisionName, precisions } from '../../formats/precision.ts';
import { double } from './double.ts';
import { half } from './half.ts';
import { mixed } from './mixed.ts';
import { pairs } from './pairs.ts';
import type { Scalars } from './scalars.ts';
import { single } from './single.ts';

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
