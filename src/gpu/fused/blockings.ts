import type { Numeric } from '../numerics/numeric.ts';

/**
 * Block sizes of a fused product. A workgroup computes mS×nS entries, kS steps of k at a time in workgroup memory; an
 * invocation computes mR×nR of them in registers.
 */
export interface Blocking {
  readonly name: string;
  readonly mS: number;
  readonly nS: number;
  readonly kS: number;
  readonly mR: number;
  readonly nR: number;
}

/** The six strategies of CUTLASS (Huang, Yu, van de Geijn 2020, Figure 3), without the arrangement in warps. */
export const blockings: readonly Blocking[] = [
  { name: 'small', mS: 16, nS: 16, kS: 16, mR: 2, nR: 2 },
  { name: 'medium', mS: 32, nS: 32, kS: 8, mR: 4, nR: 4 },
  { name: 'large', mS: 64, nS: 64, kS: 8, mR: 8, nR: 8 },
  { name: 'tall', mS: 128, nS: 32, kS: 8, mR: 8, nR: 4 },
  { name: 'wide', mS: 32, nS: 128, kS: 8, mR: 4, nR: 8 },
  { name: 'huge', mS: 128, nS: 128, kS: 8, mR: 8, nR: 8 },
];

/** Invocations a workgroup of a blocking has. */
export const invocationsOf = ({ mS, nS, mR, nR }: Blocking): number => (mS / mR) * (nS / nR);

/** Workgroups that keep a large device busy: NVIDIA's have 80 to 132 multiprocessors. */
const BUSY = 128;

/**
 * The blocking for a batch of m×n products, where none is asked for by name: the cheapest by what its workgroups read for
 * each entry (1/mS + 1/nS, and a share for the rest), what of the last blocks is wasted, and how far too few workgroups
 * leave a device idle. Precisions without lanes take the smallest: theirs is long code, slow to compile.
 */
export function blockingFor(
  m: number,
  n: number,
  batch: number,
  { lanes }: Numeric,
  name?: string,
): Blocking {
  const named = blockings.find((blocking) => blocking.name === name);
  if (named !== undefined) return named;
  if (!lanes) return blockings[0];
  const cost = ({ mS, nS }: Blocking) => {
    const [down, across] = [Math.ceil(m / mS), Math.ceil(n / nS)];
    const waste = (down * mS * across * nS) / (m * n);
    return waste * (1 / mS + 1 / nS + 1 / 64) * Math.max(1, BUSY / (down * across * batch));
  };
  return blockings.reduce((best, blocking) => (cost(blocking) <= cost(best) ? blocking : best));
}
