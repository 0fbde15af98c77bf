import { EXIT, ParanoiaError } from '../../base/errors.ts';
import { endNow } from '../../base/node/ending.ts';
import type { CaseResult } from '../../evidence/case-result.ts';
import type { Machine } from '../../gpu/device.ts';
import { brokenCode, brokenOff } from '../../run/broken-off.ts';
import { stillInFlight } from '../../run/messages.ts';
import { countsOf, overall } from '../../run/overall.ts';
import type { Results } from '../../run/results.ts';
import { tell } from '../tell.ts';
import { type PublishOptions, publish, resultsOf } from './publish.ts';

/** What a run has judged, for the case that something ends it which nobody expects. */
export interface Unfinished {
  /** What is judged on, and how many cases there will be; infinite where nobody knows. */
  begin(machine: Machine, planned: number): void;
  add(result: CaseResult): void;
  /**
   * Publishes what is judged, as inconclusive.
   * @returns the exit code.
   * @throws what ended the run, where nothing was judged and no signal ended it.
   */
  publish(thrown: unknown): Promise<number>;
}

/** What a run has judged so far. */
export interface SoFar extends Pick<Unfinished, 'begin' | 'add'> {
  /** Cases that are judged, and those that are planned: as many, where nobody knows. */
  counts(): { readonly done: number; readonly planned: number };
  /**
   * The results of what is judged, which are no pass; undefined before it is known on what.
   * @param missing a sentence on what is missing.
   */
  results(missing: string): Results | undefined;
}

/** Keeps what a run judges. @param isKept which results. */
export function soFar(seed: number, isKept: (result: CaseResult) => boolean = () => true): SoFar {
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
      const run = { planned: counts().planned, run: kept.length, ...countsOf(kept) };
      const summary = { ...run, seconds, interrupted: true };
      const verdict = overall(summary, { missing });
      return resultsOf(machine, seed, { ...verdict, summary, growth: [], cases: kept });
    },
  };
}

const isOfSignal = (thrown: unknown): boolean =>
  thrown instanceof ParanoiaError && thrown.code === stillInFlight.code;

/**
 * Keeps what a run judges until its results are published.
 * @param isKept which results: all of a gate, of a campaign those that tell something.
 */
export function unfinished(
  seed: number,
  options: PublishOptions,
  isKept?: (result: CaseResult) => boolean,
): Unfinished {
  const { results, counts, ...kept } = soFar(seed, isKept);
  return {
    ...kept,
    async publish(thrown) {
      const { done, planned } = counts();
      const broken = brokenOff(thrown, done, planned);
      const found = results(broken.message);
      if (found === undefined || (done === 0 && !isOfSignal(thrown))) throw thrown;
      const code = await publish(found, options);
      return code === EXIT.inconclusive ? brokenCode(broken) : code;
    },
  };
}

/** Publishes what is finished, and ends this process. */
export const endingWith =
  ({ publish }: Pick<Unfinished, 'publish'>) =>
  (): void => {
    void publish(stillInFlight()).then(endNow, (error) => endNow(tell(error).exitCode));
  };
