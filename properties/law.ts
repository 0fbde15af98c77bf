import fc from 'fast-check';
import { it } from 'vitest';

/** PARANOIA_RUNS multiplies the runs of every law, for longer campaigns. */
const longer = Number(process.env.PARANOIA_RUNS ?? 1);
/** A failure prints its seed and path; PARANOIA_SEED and PARANOIA_PATH replay it. */
const { PARANOIA_SEED: seed, PARANOIA_PATH: path } = process.env;

/** How fast-check runs a law. */
export function parameters<T>(runs: number): fc.Parameters<T> {
  return {
    numRuns: Math.ceil(runs * longer),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(path === undefined ? {} : { path }),
  };
}

/** A test: `holds` throws for no value of the arbitrary. */
export function law<T>(
  title: string,
  runs: number,
  arbitrary: fc.Arbitrary<T>,
  holds: (value: T) => void | Promise<void>,
): void {
  it(title, { timeout: 120_000 * Math.max(1, longer) }, async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (value) => holds(value)),
      parameters<[T]>(runs),
    );
  });
}
