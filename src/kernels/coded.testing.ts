import { extentsOf, type Gemm, stepsOf } from '../matrix/gemm.ts';
import type { Coding, Operand } from '../precision/coding/coding.ts';
import type { BlockFactors } from '../precision/operand-memory.ts';
import { precisions } from '../precision/precisions.ts';
import type { FunctionKernel } from './user-kernel.ts';

/** Returns the number at a line and a place along k of product p, from memory. */
function numberAt(
  of: Operand,
  entries: ArrayLike<number>,
  gemm: Gemm,
  coding: Coding | undefined,
  factors: BlockFactors | undefined,
) {
  const { rows, cols } = extentsOf(gemm)[of];
  const [lines, length] = of === 'a' ? [rows, cols] : [cols, rows];
  const laid = gemm[of];
  const { row, col } = stepsOf(laid);
  const sizes = (coding?.scales ?? []).map((block) => ({
    ...block,
    rows: Math.ceil(lines / Math.min(block.lines, lines)),
    cols: Math.ceil(length / Math.min(block.entries, length)),
  }));
  const own = (list: ArrayLike<number>, level: number, line: number, q: number, p: number) => {
    const block = sizes[level];
    const member = laid.stride === 0 ? 0 : p * block.rows * block.cols;
    return list[member + Math.floor(line / block.lines) * block.cols + Math.floor(q / block.entries)];
  };
  return (line: number, q: number, p: number): number => {
    const [i, j] = of === 'a' ? [line, q] : [q, line];
    const element = entries[laid.offset + p * laid.stride + i * row + j * col];
    if (factors === undefined) return element;
    const zero = factors.zeros === undefined ? 0 : own(factors.zeros, 0, line, q, p);
    const product = (isLess: boolean, from: number) =>
      factors.scales.reduce(
        (x, list, level) =>
          (sizes[level].subtracted === true) === isLess ? x * own(list, level, line, q, p) : x,
        from,
      );
    const less = sizes.some(({ subtracted }) => subtracted === true) ? product(true, 1) : 0;
    return product(false, element - zero) - less;
  };
}

/**
 * Returns a kernel that decodes its operands as documented, and sums in binary64, rounded once.
 * @param round from a sum to a result.
 * @defaultValue as the precision says
 */
export function decodingKernel(
  precision: string,
  change: Partial<FunctionKernel> = {},
  round = precisions.find(precision).d.round,
): FunctionKernel {
  const { coded } = precisions.find(precision);
  return {
    name: `decoding-${precision}`,
    precision,
    accepts: 'everything',
    multiply(a, b, gemm, c, d, factors = {}) {
      const [x, y] = [
        numberAt('a', a, gemm, coded?.a, factors.a),
        numberAt('b', b, gemm, coded?.b, factors.b),
      ];
      const { row, col } = stepsOf(gemm.d);
      const added = stepsOf(gemm.c);
      for (let p = 0; p < gemm.batch; p++) {
        for (let i = 0; i < gemm.m; i++) {
          for (let j = 0; j < gemm.n; j++) {
            let sum = 0;
            for (let q = 0; gemm.alpha !== 0 && q < gemm.k; q++) sum += x(i, q, p) * y(j, q, p);
            const before =
              gemm.beta === 0
                ? 0
                : gemm.beta * c[gemm.c.offset + p * gemm.c.stride + i * added.row + j * added.col];
            d[gemm.d.offset + p * gemm.d.stride + i * row + j * col] = round(gemm.alpha * sum + before);
          }
        }
      }
      return d;
    },
    ...change,
  };
}
