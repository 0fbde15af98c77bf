import { freeMemory } from '../../base/node/free-memory.ts';
import { WHOLE } from '../../evidence/is-large.ts';
import { type ComparisonEffort, comparisonCostOf } from '../../evidence/reference.ts';
import { largestSize } from '../../gpu/limits.ts';
import type { Shape } from '../../matrix/dense.ts';
import { batchLengthOf, describeGemm, extentsOf, type Gemm, plainGemm } from '../../matrix/gemm.ts';
import { allocateEntries } from '../../matrix/operands.ts';
import type { Precision } from '../../precision/precision.ts';
import { tooLargeForHost } from '../messages.ts';

/** Bytes of an entry in the comparison. */
const DOUBLE = 8;

/** Bytes below which free memory is not checked: the check takes as long as drawing a case. */
const ANYWHERE = 2 ** 24;

/** Limits of work up to which every entry is compared, with bounds, and not by projections. */
type Compares = Pick<ComparisonEffort, 'analysis' | 'whole' | 'projected'>;

/** A product, with the place of its computation. */
interface Hosted extends Compares {
  /** True if its kernel is external: it runs in a process of its own, and its results may be projected. @defaultValue false */
  readonly isExternal?: boolean;
}

/**
 * Estimates the bytes that a product takes in this process and in that of its kernel, including its comparison. Measured at 2^26
 * entries of D or 2^28 of B; never too low.
 */
export function hostBytes(
  gemm: Gemm,
  entry: number,
  { analysis, whole, projected, isExternal = false }: Hosted,
): number {
  const { m, k, n, batch } = gemm;
  const isProjected = isExternal && comparisonCostOf(gemm) > Math.max(projected, WHOLE);
  const extents = extentsOf(gemm);
  const matrices = gemm.c === gemm.d ? (['a', 'b', 'c'] as const) : (['a', 'b', 'c', 'd'] as const);
  const stored = matrices.reduce((sum, name) => sum + batchLengthOf(gemm[name], extents[name], batch), 0);
  const work = m * k * n * batch;
  const isAnalyzed = work <= analysis && !isProjected;
  const entries = batch * m * n;
  // The exact product, the remainder, and its size; model, bound and expected error, and the inputs of the bounds.
  const compared = isAnalyzed ? 10 * entries + 3 * (m * k + k * n) : work <= whole ? 4 * entries : entries;
  // Transposed operands and product, and the product computed once more.
  const turned = m * k + k * n + 2 * entries;
  // Each matrix with a copy here. The kernel's process holds it as sent, as given, and as compared afterwards.
  const held = (isExternal ? 6 : 2) * entry * stored;
  return held + DOUBLE * (isProjected ? turned : compared) + (isExternal ? DOUBLE * entries : 0);
}

/**
 * Checks that a product fits in free memory, before any of it is allocated.
 * @throws ParanoiaError `too-large-for-host`, with the largest square product that fits.
 */
export function requireHostRoom(gemm: Gemm, { d }: Precision, effort: Hosted, memory?: number): void {
  requireRoom(gemm, allocateEntries(d, 0).BYTES_PER_ELEMENT, effort, memory);
}

/** Applies {@link requireHostRoom}. @param entry bytes of an entry of its matrices. */
function requireRoom(gemm: Gemm, entry: number, effort: Hosted, given?: number): void {
  const bytes = hostBytes(gemm, entry, effort);
  if (given === undefined && bytes <= ANYWHERE) return;
  const memory = given ?? freeMemory();
  if (bytes <= memory) return;
  const square = (n: number) => hostBytes(plainGemm({ m: n, k: n, n }), entry, effort);
  const size = largestSize(1, 2 ** 17, (n) => square(n) <= memory) ?? 0;
  throw tooLargeForHost({ what: describeGemm(gemm), bytes, memory, size });
}

/**
 * Checks that the exact product of matrices of these sizes fits, or a product alone.
 * @throws ParanoiaError `too-large-for-host`
 */
export function requireExactRoom(shape: Shape): void {
  const alone = { analysis: 0, whole: Infinity, projected: Infinity };
  requireRoom(plainGemm(shape), Float64Array.BYTES_PER_ELEMENT, alone);
}
