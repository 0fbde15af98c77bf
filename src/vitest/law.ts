import fc from 'fast-check';
import { it, type TestContext } from 'vitest';
import { commandOf } from './state.ts';

/** How a law is checked. */
export interface LawOptions<T extends readonly unknown[] = readonly unknown[]> {
  /** How many values are tried, times PARANOIA_RUNS. @defaultValue 100 */
  readonly runs?: number | undefined;
  /** Milliseconds the test may take, times PARANOIA_RUNS. @defaultValue Vitest's `testTimeout` */
  readonly timeout?: number | undefined;
  /** Tries the same values every time. @defaultValue another seed every time; PARANOIA_SEED replays one */
  readonly seed?: number | undefined;
  /** Values tried first. */
  readonly examples?: readonly T[] | undefined;
}

/** The arbitraries of a law's arguments. */
export type Arbitraries<T extends readonly unknown[]> = { readonly [K in keyof T]: fc.Arbitrary<T[K]> };

/** Holds where it returns anything but false, and neither throws nor rejects. */
export type Property<T extends readonly unknown[]> = (...values: T) => unknown;

/** Declares a law as a test. */
export type Law = <const T extends readonly unknown[]>(
  title: string,
  arbitraries: Arbitraries<T>,
  ...rest:
    | [property: Property<NoInfer<T>>]
    | [options: LawOptions<NoInfer<T>>, property: Property<NoInfer<T>>]
) => void;

/** What the environment says: longer campaigns, and which failure to replay. */
function environment(): { longer: number; seed?: number; path?: string } {
  const { PARANOIA_RUNS: runs, PARANOIA_SEED: seed, PARANOIA_PATH: path } = process.env;
  return {
    longer: runs === undefined ? 1 : Number(runs),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(path === undefined ? {} : { path }),
  };
}

/** How fast-check runs so many values, with what the environment says. */
export function parameters<T>(
  runs: number,
  given: { readonly seed?: number | undefined } = {},
): fc.Parameters<T> {
  const { longer, seed = given.seed, path } = environment();
  return {
    numRuns: Math.ceil(runs * longer),
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  };
}

const declared =
  (test: typeof it | typeof it.skip | typeof it.only): Law =>
  (title, arbitraries, ...rest) => {
    const [options, property] = rest.length === 1 ? [{}, rest[0]] : rest;
    const { runs = 100, timeout, seed, examples = [] } = options;
    const limit = timeout === undefined ? {} : { timeout: timeout * Math.max(1, environment().longer) };
    test(title, limit, async (context) => {
      const checked = fc.asyncProperty(
        fc.tuple<unknown[]>(...(arbitraries as readonly fc.Arbitrary<unknown>[])),
        async (values) => (await (property as Property<readonly unknown[]>)(...values)) !== false,
      );
      const found = await fc.check(checked, {
        ...parameters<[unknown[]]>(runs, { seed }),
        examples: examples.map((values) => [[...values]]),
      });
      if (found.failed) throw broken(found, context);
    });
  };

/**
 * A law as a test of Vitest: `property` must hold for all values that the arbitraries draw.
 *
 * ```ts
 * law('a product times one is itself', [operands({ max: 32 })], ({ a, b }) => …);
 * ```
 *
 * A failure is shrunk, and prints the command that replays it: PARANOIA_SEED and PARANOIA_PATH are taken by every law that
 * runs, so that the command names the test. PARANOIA_RUNS multiplies the runs.
 */
export const law: Law & { readonly only: Law; readonly skip: Law } = Object.assign(declared(it), {
  only: declared(it.only),
  skip: declared(it.skip),
});

function broken(found: fc.RunDetails<[unknown[]]>, context: TestContext): Error {
  const { testPath, currentTestName } = context.expect.getState();
  const { seed, counterexample, counterexamplePath, numRuns, numShrinks, errorInstance } = found;
  if (counterexample === null) {
    return new Error(
      `${fc.defaultReportMessage(found as never)}\nreplay: ${commandOf({ testPath, currentTestName })}`,
    );
  }
  const values = counterexample[0].map((value) => fc.stringify(value)).join(', ');
  const why = errorInstance instanceof Error ? errorInstance.message : 'It returned false.';
  const replay = `PARANOIA_SEED=${seed} PARANOIA_PATH='${counterexamplePath}' ${commandOf({ testPath, currentTestName })}`;
  const message = [
    `The law is broken, after ${numRuns} runs and ${numShrinks} steps of shrinking, by ${values}`,
    why,
    `replay: ${replay}`,
  ].join('\n');
  return new Error(message, { cause: errorInstance });
}
