import type { Real } from '../../matrix/dense.ts';
import { addProduct } from '../add-product.ts';
import type { Scalars } from './scalars.ts';

/** binary64, products and sums rounded separately: what the device computes in integers. */
export const double: Scalars = {
  create: (length) => new Float64Array(length),
  negate: (a) => -a,
  add: (a, b) => a + b,
  multiply(x: Real, y: Real, shape, out: Real) {
    out.fill(0);
    addProduct(x as Float64Array, y as Float64Array, shape, out as Float64Array);
  },
};
