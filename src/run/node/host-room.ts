import { totalmem } from 'node:os';
import type { Effort } from '../../evidence/reference.ts';
import { largestSize } from '../../gpu/limits.ts';
import { describeGemm, extentsOf, type Gemm, lengthOf } from '../../matrix/gemm.ts';
import type { Case } from '../../problem/case.ts';
import { gemmOf } from '../../problem/gemm-of.ts';
import { tooLargeForHost } from '../messages.ts';

/** Bytes of an entry: of what is compared a double, of an operand in binary32 and its copy as many. */
const DOUBLE = 8;

/** Up to which work every entry is compared, and with bounds. */
type Compares = Pick<Effort, 'analysis' | 'whole'>;

/** About how many bytes a product takes in this process, its comparison included. */
export function hostBytes(gemm: Gemm, { analysis, whole }: Compares): number {
  const { m, k, n, batch } = gemm;
  const extents = extentsOf(gemm);
  const matrices = gemm.c === gemm.d ? (['a', 'b', 'c'] as const) : (['a', 'b', 'c', 'd'] as const);
  const stored = matrices.map((name) => lengthOf(gemm[name], extents[name], batch));
  const memory = stored.reduce((sum, entries) => sum + entries, 0);
  const work = m * k * n * batch;
  const isAnalysed = work <= analysis;
  // Copies for the kernel; the exact product, what is left of it, and its size; mirror, bound and expected error.
  const compared =
    (isAnalysed ? 7 : work <= whole ? 4 : 1) * batch * m * n + (isAnalysed ? 3 : 0) * (m * k + k * n + m * n);
  return DOUBLE * memory + DOUBLE * compared;
}

/**
 * Sees that a case fits this machine before anything is made of it.
 * @throws ParanoiaError `too-large-for-host`, with the largest square product that fits.
 */
export function requireHostRoom(
  { problem }: Pick<Case, 'problem'>,
  effort: Compares,
  memory = totalmem(),
): void {
  const gemm = gemmOf(problem);
  const bytes = hostBytes(gemm, effort);
  if (bytes <= memory) return;
  const square = (n: number) => hostBytes(gemmOf({ ...problem, m: n, k: n, n, batch: 1 }), effort);
  const size = largestSize(1, 2 ** 17, (n) => square(n) <= memory) ?? 0;
  throw tooLargeForHost({ what: describeGemm(gemm), bytes, memory, size });
}
