import { f32 } from '../format.ts';
import { valuesOf, type Work } from './block-work.ts';
import { blocksOf, type Region } from './blocks.ts';
import type { Coding } from './coding.ts';
import { decodedFormat } from './decoded-format.ts';
import { ANY, common, type Exponents, exactPowers, NONE, powersOf } from './powers.ts';
import { extentOf, sizeOf } from './recipes.ts';

/** Returns the powers of two for the smallest blocks with which the largest element fits the decoded format. */
export function innerPowers(coding: Coding): Exponents {
  const { least, most } = powersOf(coding.scales[0].format);
  const ceiling = decodedFormat(coding) === f32 ? powersOf(f32).most - powersOf(coding.element).most : most;
  return { least, most: Math.min(most, ceiling) };
}

/** The choices that the blocks of a larger block leave for its factor. */
export interface Reach {
  /** The powers of two of the larger factor with which all its blocks can be exact. */
  readonly reached: Exponents;
  /** Those of them that allow every block all the powers that it could have alone. */
  readonly free: Exponents;
  /** The largest magnitude of all blocks. */
  readonly size: number;
}

/** Returns the {@link Reach} of a block of the second level. */
export function reachedBy(work: Work, block: Region): Reach {
  const [inner] = work.coding.scales;
  const own = powersOf(inner.format);
  let [reached, free, size] = [ANY, ANY, 0];
  for (const region of blocksOf(block, inner)) {
    const values = valuesOf(work, region);
    const extent = sizeOf(extentOf(values));
    if (extent === 0) continue;
    const exact = exactPowers(values, work.coding) ?? NONE;
    reached = common(reached, { least: exact.least - own.most, most: exact.most - own.least });
    free = common(free, { least: exact.most - own.most, most: exact.least - own.least });
    size = Math.max(size, extent);
  }
  return { reached, free: common(free, reached), size };
}
