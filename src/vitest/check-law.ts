import fc from 'fast-check';
import { it } from 'vitest';
import { badNumber } from '../base/messages.ts';
import { formatCount } from '../report/numbers.ts';
import { commandOf, type MatcherState } from './message.ts';

/** Options of a law. */
export interface LawOptions<T extends readonly unknown[] = readonly unknown[]> {
  /** Values to try, times PARANOIA_RUNS. @defaultValue 100 */
  readonly runs?: number | undefined;
  /** The test's time limit in milliseconds, times PARANOIA_RUNS. @defaultValue Vitest's `testTimeout` */
  readonly timeout?: number | undefined;
  /** The seed, to try the same values every time. @defaultValue a new seed every time; PARANOIA_SEED replays one */
  readonly seed?: number | undefined;
  /** Values tried first. */
  readonly examples?: readonly T[] | undefined;
}

/** The arbitraries of a law's arguments. */
export type Arbitraries<T extends readonly unknown[]> = { [K in keyof T]: fc.Arbitrary<T[K]> };

/** A property of values: it holds if it neither throws, rejects nor returns false. */
export type Property<T extends readonly unknown[]> = (...values: T) => unknown;

/** Variables of the environment that lengthen a campaign, or replay a failure. */
interface Environment {
  readonly PARANOIA_RUNS?: string | undefined;
  readonly PARANOIA_SEED?: string | undefined;
  readonly PARANOIA_PATH?: string | undefined;
}

/** Returns the factor by which the environment multiplies the runs of laws. @throws ParanoiaError `bad-number` */
export function readRunFactor({ PARANOIA_RUNS: runs }: Environment = process.env): number {
  const times = Number(runs ?? 1);
  if (times > 0 && Number.isFinite(times)) return times;
  throw badNumber({ what: 'PARANOIA_RUNS', given: runs, need: 'a number above 0' });
}

/** Returns the parameters for fast-check, from the number of values and the environment. @throws ParanoiaError `bad-number` */
export function parameters<T>(
  runs: number,
  given: { readonly seed?: number | undefined } = {},
  environment: Environment = process.env,
): fc.Parameters<T> {
  const { PARANOIA_SEED: replayed, PARANOIA_PATH: path } = environment;
  const seed = replayed === undefined ? given.seed : Number(replayed);
  if (seed !== undefined && !Number.isSafeInteger(seed)) {
    throw badNumber({
      what: 'The seed of a law',
      given: replayed ?? seed,
      need: 'a whole number',
    });
  }
  return {
    numRuns: Math.ceil(runs * readRunFactor(environment)),
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  };
}

/**
 * Searches for values that break a law.
 * @returns the error for a test to throw: the shrunk values, the reason, and the command that replays them; undefined if no values break it
 */
export async function checkLaw(
  arbitraries: readonly fc.Arbitrary<unknown>[],
  property: Property<readonly unknown[]>,
  { runs = 100, seed, examples = [] }: LawOptions,
  state: MatcherState,
  environment: Environment = process.env,
): Promise<Error | undefined> {
  const checked = fc.asyncProperty(
    fc.tuple<unknown[]>(...arbitraries),
    async (values) => (await property(...values)) !== false,
  );
  const found = await fc.check(checked, {
    ...parameters<[unknown[]]>(runs, { seed }, environment),
    examples: examples.map((values) => [[...values]]),
  });
  return found.failed ? broken(found, commandOf(state)) : undefined;
}

function broken(found: fc.RunDetails<[unknown[]]>, command: string): Error {
  const { seed, counterexample, counterexamplePath, numRuns, numShrinks, errorInstance } = found;
  if (counterexample === null) {
    return new Error(`${fc.defaultReportMessage(found as never)}\nreplay: PARANOIA_SEED=${seed} ${command}`);
  }
  const values = counterexample[0].map((value) => fc.stringify(value)).join(', ');
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const message = [
    `Law broken at run ${numRuns}, after ${formatCount(numShrinks, 'shrink')}, by ${values}`,
    why,
    `replay: PARANOIA_SEED=${seed} PARANOIA_PATH='${counterexamplePath}' ${command}`,
  ].join('\n');
  return new Error(message, { cause: errorInstance });
}

/** Declares a law as a test. */
export interface Law {
  <T extends [unknown, ...unknown[]]>(
    title: string,
    arbitraries: Arbitraries<T>,
    property: Property<NoInfer<T>>,
  ): void;
  <T extends [unknown, ...unknown[]]>(
    title: string,
    arbitraries: Arbitraries<T>,
    options: LawOptions<NoInfer<T>>,
    property: Property<NoInfer<T>>,
  ): void;
}

type Declaring = typeof it | typeof it.skip | typeof it.only;
type AnyProperty = Property<readonly unknown[]>;

const declared = (test: Declaring): Law => {
  return (
    title: string,
    arbitraries: readonly fc.Arbitrary<unknown>[],
    ...rest: [AnyProperty] | [LawOptions, AnyProperty]
  ) => {
    const [options, property] = rest.length === 1 ? [{}, rest[0]] : rest;
    const { timeout } = options;
    const limit = timeout === undefined ? {} : { timeout: timeout * Math.max(1, readRunFactor()) };
    test(title, limit, async ({ expect }) => {
      const broken = await checkLaw(arbitraries, property, options, expect.getState());
      if (broken !== undefined) throw broken;
    });
  };
};

/**
 * Declares a law as a Vitest test: `property` must hold for all values that the arbitraries draw.
 *
 * ```ts
 * law('a row of zeros gives a row of zeros', [operands({ max: 32 })], ({ a, b }) => …);
 * ```
 *
 * A failure is shrunk, and prints the command that replays it. PARANOIA_SEED and PARANOIA_PATH apply to every law that
 * runs, so the command names the test. PARANOIA_RUNS multiplies the runs.
 */
export const law: Law & { readonly only: Law; readonly skip: Law } = Object.assign(declared(it), {
  only: declared(it.only),
  skip: declared(it.skip),
});
