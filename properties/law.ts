import type fc from 'fast-check';
import { isWhole } from '../src/base/in-short.testing.ts';
import { law as vitestLaw } from '../src/vitest/law.ts';

export { parameters } from '../src/vitest/check-law.ts';

/** Short tests divide a law's runs by this. */
const ONE_IN = isWhole ? 1 : 20;

/**
 * A test: `holds` throws for no value of the arbitrary. PARANOIA_RUNS multiplies the runs; a failure prints the command
 * that replays it.
 */
export function law<T>(
  title: string,
  runs: number,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
): void {
  vitestLaw<[T]>(title, [arbitrary], { runs: Math.ceil(runs / ONE_IN) }, holds);
}

/** A law each of whose runs takes long, as those do that compile shaders: it has one where tests are short. */
export function lawOfLongRuns<T>(
  title: string,
  runs: number,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
): void {
  law(title, isWhole ? runs : 1, arbitrary, holds);
}
