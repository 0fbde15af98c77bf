import type fc from 'fast-check';
import { isWhole } from '../src/base/in-short.testing.ts';
import { law as vitestLaw } from '../src/vitest/check-law.ts';

export { parameters } from '../src/vitest/check-law.ts';

/** Divisor of a law's runs in short tests. */
const ONE_IN = isWhole ? 1 : 20;

/**
 * Defines a test: `holds` throws for no value of the arbitrary. PARANOIA_RUNS multiplies the runs; a failure prints the command that
 * replays it.
 */
export function law<T>(
  title: string,
  runs: number,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
): void {
  vitestLaw<[T]>(title, [arbitrary], { runs: Math.ceil(runs / ONE_IN) }, holds);
}

/** Defines a law with long runs, such as those that compile shaders. Short tests run it once. */
export function lawOfLongRuns<T>(
  title: string,
  runs: number,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
): void {
  law(title, isWhole ? runs : 1, arbitrary, holds);
}
