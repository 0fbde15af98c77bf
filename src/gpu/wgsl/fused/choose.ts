import type { Numeric } from '../../../precision/wgsl/numeric.ts';
import { type PlainTiling, tileOf } from '../tiling.ts';
import { fusedTilings } from '../tilings.ts';

/** Workgroups that keep a large device busy: NVIDIA's have 80 to 132 multiprocessors. */
const BUSY = 128;

/**
 * The tiling for a batch of m×n products, where none is asked for by name: the cheapest by what its workgroups read for
 * each entry (one by its rows and one by its columns, and a share for the rest), what of the last blocks is wasted, and how far too few workgroups
 * leave a device idle. Precisions without lanes take the smallest: theirs is long code, slow to compile.
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
    const tile = tileOf(tiling);
    const [down, across] = [Math.ceil(m / tile.m), Math.ceil(n / tile.n)];
    const waste = (down * tile.m * across * tile.n) / (m * n);
    return waste * (1 / tile.m + 1 / tile.n + 1 / 64) * Math.max(1, BUSY / (down * across * batch));
  };
  return fusedTilings.reduce((best, tiling) => (cost(tiling) <= cost(best) ? tiling : best));
}
