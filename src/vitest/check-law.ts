import fc from 'fast-check';
import { badNumber } from '../base/messages.ts';
import { commandOf, type MatcherState } from './state.ts';

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
export type Arbitraries<T extends readonly unknown[]> = { [K in keyof T]: fc.Arbitrary<T[K]> };

/** Holds where it returns anything but false, and neither throws nor rejects. */
export type Property<T extends readonly unknown[]> = (...values: T) => unknown;

/** What the environment says: longer campaigns, and which failure to replay. */
interface Environment {
  readonly PARANOIA_RUNS?: string | undefined;
  readonly PARANOIA_SEED?: string | undefined;
  readonly PARANOIA_PATH?: string | undefined;
}

/** How many times longer than usual laws are run. @throws ParanoiaError `bad-number` */
export function longer({ PARANOIA_RUNS: runs }: Environment = process.env): number {
  const times = Number(runs ?? 1);
  if (times > 0 && Number.isFinite(times)) return times;
  throw badNumber({ what: 'PARANOIA_RUNS', given: runs, need: 'a number above 0' });
}

/** How fast-check runs so many values, with what the environment says. @throws ParanoiaError `bad-number` */
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
    numRuns: Math.ceil(runs * longer(environment)),
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  };
}

/**
 * Looks for values that break a law.
 * @returns what a test throws: the values, shrunk, why, and the command that replays them; undefined where none are found.
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
    `Broken at run ${numRuns}, shrunk ${numShrinks} times, by ${values}`,
    why,
    `replay: PARANOIA_SEED=${seed} PARANOIA_PATH='${counterexamplePath}' ${command}`,
  ].join('\n');
  return new Error(message, { cause: errorInstance });
}
