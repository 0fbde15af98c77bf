import { EXIT, ParanoiaError } from '../../base/errors.ts';
import { endNow } from '../../base/node/ending.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Machine } from '../../gpu/device.ts';
import { brokenRunExitCode, makeBrokenRunError } from '../../run/broken-off.ts';
import { stillInFlight } from '../../run/messages.ts';
import { countOutcomes, decideVerdict } from '../../run/overall.ts';
import type { Results } from '../../run/results.ts';
import { printError } from '../tell.ts';
import { type PublishOptions, publish, stampCommandResults } from './publish.ts';

/** The results of a run so far, in case an unexpected error ends it. */
export interface UnfinishedResults {
  /** Starts with the machine and the number of cases; infinite if unknown. */
  begin(machine: Machine, planned: number): void;
  add(result: CaseResult): void;
  /**
   * Publishes the results so far, as inconclusive.
   * @returns the exit code
   * @throws the error that ended the run, if there are no results and no signal ended it
   */
  publish(thrown: unknown): Promise<number>;
}

/** The results of a run so far. */
export interface PartialResults extends Pick<UnfinishedResults, 'begin' | 'add'> {
  /** The numbers of judged and planned cases; equal if the plan is unknown. */
  counts(): { readonly done: number; readonly planned: number };
  /**
   * The results so far, which are no pass; undefined before the machine is known.
   * @param missing a sentence on what is missing
   */
  results(missing: string): Results | undefined;
}

/** Collects the results of a run. @param isKept selects results */
export function collectResults(
  seed: number,
  isKept: (result: CaseResult) => boolean = () => true,
): PartialResults {
  const start = performance.now();
  const kept: CaseResult[] = [];
  let [done, planned] = [0, 0];
  let machine: Machine | undefined;
  const counts = () => ({ done, planned: Number.isFinite(planned) ? planned : done });
  return {
    counts,
    begin: (on, count) => {
      machine = on;
      planned = count;
    },
    add: (result) => {
      done++;
      if (isKept(result)) kept.push(result);
    },
    results(missing) {
      if (machine === undefined) return undefined;
      const seconds = (performance.now() - start) / 1000;
      const run = { planned: counts().planned, run: kept.length, ...countOutcomes(kept) };
      const summary = { ...run, seconds, interrupted: true };
      const verdict = decideVerdict(summary, { missing });
      return stampCommandResults(machine, seed, { ...verdict, summary, growth: [], cases: kept });
    },
  };
}

const isOfSignal = (thrown: unknown): boolean =>
  thrown instanceof ParanoiaError && thrown.code === stillInFlight.code;

/**
 * Collects the results of a run until they are published.
 * @param isKept selects results: all of a gate, the telling ones of a campaign
 */
export function collectUntilPublished(
  seed: number,
  options: PublishOptions,
  isKept?: (result: CaseResult) => boolean,
): UnfinishedResults {
  const { results, counts, ...kept } = collectResults(seed, isKept);
  return {
    ...kept,
    async publish(thrown) {
      const { done, planned } = counts();
      const broken = makeBrokenRunError(thrown, done, planned);
      const found = results(broken.message);
      if (found === undefined || (done === 0 && !isOfSignal(thrown))) throw thrown;
      const code = await publish(found, options);
      return code === EXIT.inconclusive ? brokenRunExitCode(broken) : code;
    },
  };
}

/** Publishes the results so far, and ends this process. */
export const publishAndExit =
  ({ publish }: Pick<UnfinishedResults, 'publish'>) =>
  (): void => {
    void publish(stillInFlight()).then(endNow, (error) => endNow(printError(error).exitCode));
  };
