import { loadPart } from '../base/part.ts';
import type { RealArray } from '../matrix/dense.ts';
import { addProduct } from './add-product.ts';
import { emulated } from './arithmetic.ts';
import { f64 } from './format.ts';
import { type HostNumbers, type Precision, setStoredFormat } from './precision.ts';

/** binary64 with products and sums rounded separately, which the device computes in integers. */
const numbers: HostNumbers = {
  create: (length) => new Float64Array(length),
  negate: (a) => -a,
  add: (a, b) => a + b,
  multiplyAdd: (c, x, sum) => c * x + sum,
  multiply(x: RealArray, y: RealArray, shape, out: RealArray) {
    out.fill(0);
    addProduct(x as Float64Array, y as Float64Array, shape, out as Float64Array);
  },
};

export const doublePrecision: Precision = {
  name: 'f64',
  what: 'binary64 in integer arithmetic, every operation correctly rounded',
  source: 'IEEE 754-2019',
  ...setStoredFormat(f64),
  multiplied: f64,
  accumulated: f64,
  host: () => numbers,
  async wgsl() {
    const { binary64 } = await loadPart('computes binary64 in shaders', () => import('./wgsl/f64.ts'));
    return { numeric: binary64, arithmetic: emulated };
  },
};
