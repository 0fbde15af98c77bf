import type { Arithmetic } from '../../formats/arithmetic.ts';
import type { Format } from '../../formats/format.ts';
import type { Scalars } from './scalars.ts';
import { single } from './single.ts';

/** binary32 with the operands of leaf products rounded to a narrower format first: their products are exact. */
export function mixed(operands: Format, arithmetic: Arithmetic): Scalars {
  const inner = single(arithmetic);
  return {
    ...inner,
    multiply: (x, y, shape, out) => inner.multiply(x.map(operands.round), y.map(operands.round), shape, out),
  };
}
