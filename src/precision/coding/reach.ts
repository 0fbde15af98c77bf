import { f32 } from '../format.ts';
import { type CodingState, readBlockValues } from './block-work.ts';
import { listBlocks, type Region } from './blocks.ts';
import type { Coding } from './coding.ts';
import { decodedFormat } from './decoded-format.ts';
import { ANY, type Exponents, exactPowers, intersectRanges, NONE, powersOf } from './powers.ts';
import { extentOf, largestMagnitudeOf } from './recipes.ts';

/** Returns the powers of two for the smallest blocks with which the largest element fits the decoded format. */
export function innerPowers(coding: Coding): Exponents {
  const { least, most } = powersOf(coding.scales[0].format);
  const ceiling = decodedFormat(coding) === f32 ? powersOf(f32).most - powersOf(coding.element).most : most;
  return { least, most: Math.min(most, ceiling) };
}

/** The choices that the blocks of a larger block leave for its factor. */
export interface ScaleReach {
  /** The powers of two of the larger factor with which all its blocks can be exact. */
  readonly reached: Exponents;
  /** Those of them that allow every block all the powers that it could have alone. */
  readonly free: Exponents;
  /** The largest magnitude of all blocks. */
  readonly size: number;
}

/** Returns the {@link ScaleReach} of a block of the second level. */
export function reachOfBlock(work: CodingState, block: Region): ScaleReach {
  const [inner] = work.coding.scales;
  const own = powersOf(inner.format);
  let [reached, free, size] = [ANY, ANY, 0];
  for (const region of listBlocks(block, inner)) {
    const values = readBlockValues(work, region);
    const extent = largestMagnitudeOf(extentOf(values));
    if (extent === 0) continue;
    const exact = exactPowers(values, work.coding) ?? NONE;
    reached = intersectRanges(reached, { least: exact.least - own.most, most: exact.most - own.least });
    free = intersectRanges(free, { least: exact.most - own.most, most: exact.least - own.least });
    size = Math.max(size, extent);
  }
  return { reached, free: intersectRanges(free, reached), size };
}
