import type { Matrix } from '../../matrix/dense.ts';
import type { Evidence } from '../evidence.ts';
import type { WrongProductScene } from './cause.ts';
import { scaledEntry } from './scaled-entry.ts';

/** Returns the scene of a product; exact entries that no reference holds are summed in double on demand. */
export function sceneOf(evidence: Evidence): WrongProductScene {
  const { gemm, operands, outcomes, reference } = evidence;
  const { m, k, n } = gemm;
  const { a, b, c } = operands;
  const at = (matrix: Matrix, rows: number) => (i: number, j: number, p: number) =>
    matrix.data[(matrix.rows > rows ? p * rows + i : i) * matrix.cols + j];
  const [atA, atB] = [at(a, m), at(b, k)];
  const atC = c === undefined ? () => Number.NaN : at(c, m);
  const product = (i: number, j: number, p: number) => {
    let sum = 0;
    for (let q = 0; q < k; q++) sum += atA(i, q, p) * atB(q, j, p);
    return sum;
  };
  const summed = scaledEntry(gemm, product, atC) as WrongProductScene['expected'];
  const isWhole = reference.checked === 1;
  return {
    ...{ evidence, gemm, a: atA, b: atB, c: atC },
    found: (i, j, p) => outcomes[0].c.data[(p * m + i) * n + j],
    low: isWhole ? reference.low : undefined,
    expected: isWhole ? (i, j, p) => reference.value[(p * m + i) * n + j] : summed,
  };
}
