import type { Arithmetic } from '../../formats/arithmetic.ts';
import { arithmetic32 } from '../../formats/arithmetic32.ts';
import type { Real } from '../../matrix/dense.ts';
import { multiply32 } from '../leaf32.ts';
import type { Scalars } from './scalars.ts';

/** binary32, in the device's arithmetic. Cost: see {@link multiply32}. */
export function single(arithmetic: Arithmetic): Scalars {
  return {
    create: (length) => new Float32Array(length),
    negate: (a) => -a,
    add: arithmetic32(arithmetic).add,
    multiply: (x: Real, y: Real, shape, out: Real) =>
      multiply32(x as Float32Array, y as Float32Array, shape, out as Float32Array, arithmetic),
  };
}
