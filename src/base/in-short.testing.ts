import { it } from 'vitest';

/** Whether tests ask all that they know to ask, as TESTS=whole says for `npm run test:whole`, or in short, for `npm test`. */
export const isWhole = process.env.TESTS === 'whole';

/** Of a list that is asked in short, one in so many, the first among them; all of it where tests are whole. */
export const inShort = <const T>(all: readonly T[], each: number): T[] =>
  all.filter((_, at) => isWhole || at % each === 0);

/** A test that takes long, asked only where tests are whole. */
export const itWhole = it.runIf(isWhole);
