import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { type PlainTiling, tileShapeOf } from '../tiling.ts';
import { fusedTilings } from '../tilings.ts';

/** The workgroups that keep a large device busy: NVIDIA's have 80 to 132 multiprocessors. */
const BUSY = 128;

/**
 * Chooses the tiling for a batch of m×n products, unless a name is given: the one of least cost. The cost of an entry counts the reads of
 * its workgroup (one by its rows, one by its columns, and a share for the rest), the waste in the last blocks, and the idle part of a
 * device with too few workgroups. Precisions without lanes take the smallest tiling, since their long code compiles slowly.
 */
export function fusedTiling(
  m: number,
  n: number,
  batch: number,
  { lanes }: Numeric,
  name?: string,
): PlainTiling {
  const named = fusedTilings.find((tiling) => tiling.name === name);
  if (named !== undefined) return named;
  if (!lanes) return fusedTilings[0];
  const cost = (tiling: PlainTiling) => {
    const tile = tileShapeOf(tiling);
    const [down, across] = [Math.ceil(m / tile.m), Math.ceil(n / tile.n)];
    const waste = (down * tile.m * across * tile.n) / (m * n);
    return waste * (1 / tile.m + 1 / tile.n + 1 / 64) * Math.max(1, BUSY / (down * across * batch));
  };
  return fusedTilings.reduce((best, tiling) => (cost(tiling) <= cost(best) ? tiling : best));
}
