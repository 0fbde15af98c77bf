import type { Shape } from '../matrix/dense.ts';
import { inPanels } from './panels.ts';

/**
 * out += x·y in doubles, sequentially over k. x is m×k, y is k×n, out is m×n, all
 * row-major. Cost: about 0.7 ns an operation.
 */
export function addProduct(x: Float64Array, y: Float64Array, shape: Shape, out: Float64Array): void {
  const { k, n } = shape;
  inPanels(shape, {
    fourStepsOfTwoRows(i, p) {
      const [at, next] = [i * k + p, (i + 1) * k + p];
      const [a0, a1, a2, a3] = [x[at], x[at + 1], x[at + 2], x[at + 3]];
      const [b0, b1, b2, b3] = [x[next], x[next + 1], x[next + 2], x[next + 3]];
      const [y0, y1, y2, y3] = [p * n, (p + 1) * n, (p + 2) * n, (p + 3) * n];
      const [rowA, rowB] = [i * n, (i + 1) * n];
      for (let j = 0; j < n; j++) {
        const [v0, v1, v2, v3] = [y[y0 + j], y[y1 + j], y[y2 + j], y[y3 + j]];
        let a = out[rowA + j];
        let b = out[rowB + j];
        a += a0 * v0;
        b += b0 * v0;
        a += a1 * v1;
        b += b1 * v1;
        a += a2 * v2;
        b += b2 * v2;
        a += a3 * v3;
        b += b3 * v3;
        out[rowA + j] = a;
        out[rowB + j] = b;
      }
    },
    oneStep(i, p) {
      const a = x[i * k + p];
      const [row, yRow] = [i * n, p * n];
      for (let j = 0; j < n; j++) out[row + j] += a * y[yRow + j];
    },
  });
}
