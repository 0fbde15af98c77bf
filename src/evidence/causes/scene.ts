import type { Matrix } from '../../matrix/dense.ts';
import { readsFactors } from '../../matrix/members.ts';
import type { Evidence } from '../evidence.ts';
import type { Scene } from './cause.ts';

/** What mistakes are compared with; what no reference holds is summed in double when it is asked for. */
export function sceneOf(evidence: Evidence): Scene {
  const { gemm, operands, outcomes, reference } = evidence;
  const { m, k, n, alpha, beta } = gemm;
  const { a, b, c } = operands;
  const at = (matrix: Matrix, rows: number) => (i: number, j: number, p: number) =>
    matrix.data[(matrix.rows > rows ? p * rows + i : i) * matrix.cols + j];
  const [atA, atB] = [at(a, m), at(b, k)];
  const atC = c === undefined ? () => Number.NaN : at(c, m);
  const summed = (i: number, j: number, p: number) => {
    let sum = 0;
    if (readsFactors(gemm)) for (let q = 0; q < k; q++) sum += atA(i, q, p) * atB(q, j, p);
    return (alpha === 0 ? 0 : alpha * sum) + (beta === 0 ? 0 : beta * atC(i, j, p));
  };
  const isWhole = reference.checked === 1;
  return {
    ...{ evidence, gemm, a: atA, b: atB, c: atC },
    found: (i, j, p) => outcomes[0].c.data[(p * m + i) * n + j],
    low: isWhole ? reference.low : undefined,
    expected: isWhole ? (i, j, p) => reference.value[(p * m + i) * n + j] : summed,
  };
}
