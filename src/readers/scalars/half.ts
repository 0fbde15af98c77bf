import type { Arithmetic } from '../../formats/arithmetic.ts';
import { arithmetic16 } from '../../formats/arithmetic16.ts';
import type { Real } from '../../matrix/dense.ts';
import type { Scalars } from './scalars.ts';

/** binary16, every operation rounded; kept in binary32. Cost: 10 to 30 ns an operation. */
export function half(arithmetic: Arithmetic): Scalars {
  const { add, fma } = arithmetic16(arithmetic);
  return {
    create: (length) => new Float32Array(length),
    negate: (a) => -a,
    add,
    multiply(x: Real, y: Real, { m, k, n }, out: Real) {
      out.fill(0);
      for (let i = 0; i < m; i++) {
        for (let p = 0; p < k; p++) {
          const xip = x[i * k + p];
          for (let j = 0; j < n; j++) out[i * n + j] = fma(xip, y[p * n + j], out[i * n + j]);
        }
      }
    },
  };
}
