import type fc from 'fast-check';
import { law as vitestLaw } from '../src/vitest/law.ts';

export { parameters } from '../src/vitest/check-law.ts';

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
  vitestLaw<[T]>(title, [arbitrary], { runs, timeout: 600_000 }, holds);
}
