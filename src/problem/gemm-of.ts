import { extentsOf, type Gemm, type Laid, linesOf } from '../matrix/gemm.ts';
import type { GemmProblem, Storage } from './problem.ts';

/** What a problem asks of a kernel, in leading dimensions and strides. */
export function gemmOf(problem: GemmProblem): Gemm {
  const { m, k, n, batch, alpha, beta, group } = problem;
  const extents = extentsOf(problem);
  const c = laidAs(problem.c, extents.c, batch);
  const d = problem.d === undefined ? c : laidAs(problem.d, extents.d, batch);
  const [a, b] = [laidAs(problem.a, extents.a, batch), laidAs(problem.b, extents.b, batch)];
  return { ...{ m, k, n, batch, alpha, beta, group }, a, b, c, d };
}

function laidAs(
  { op: said, order, pad, offset, gap }: Storage,
  extent: { rows: number; cols: number },
  batch: number,
): Laid {
  // Of real entries, the conjugated transpose is the transposed.
  const op = said === 'n' ? 'n' : 't';
  const { lines, entries } = linesOf({ op, order }, extent);
  const line = Math.max(1, entries);
  if (gap === 'interleaved') return { op, order, ld: Math.max(1, batch) * line + pad, offset, stride: line };
  const ld = line + pad;
  return { op, order, ld, offset, stride: gap === 'same' ? 0 : lines * ld + gap };
}
