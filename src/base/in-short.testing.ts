import { it } from 'vitest';

/** True if tests run every case (`TESTS=whole`, as `npm run test:whole` sets it); `npm test` runs a part. */
export const isWhole = process.env.TESTS === 'whole';

/** Returns every `each`-th item, beginning with the first; all items if tests are whole. */
export const inShort = <const T>(all: readonly T[], each: number): T[] =>
  all.filter((_, at) => isWhole || at % each === 0);

/** A slow test, skipped unless tests are whole. */
export const itWhole = it.runIf(isWhole);
