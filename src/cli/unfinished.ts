import { EXIT } from '../base/errors.ts';
import { endNow } from '../base/node/ending.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import type { Machine } from '../gpu/device.ts';
import { brokenCode, brokenOff } from '../run/broken-off.ts';
import { stillInFlight } from '../run/messages.ts';
import { countsOf, overall } from '../run/overall.ts';
import { type PublishOptions, publish, resultsOf } from './publish.ts';
import { tell } from './tell.ts';

/** What a run has judged, for the case that something ends it which nobody expects. */
export interface Unfinished {
  /** What is judged on, and how many cases there will be; infinite where nobody knows. */
  begin(machine: Machine, planned: number): void;
  add(result: CaseResult): void;
  /**
   * Publishes what is judged, as inconclusive.
   * @returns the exit code.
   * @throws what ended the run, where nothing was judged.
   */
  publish(thrown: unknown): Promise<number>;
}

/**
 * Keeps what a run judges until its results are published.
 * @param isKept which results: all of a gate, of a campaign those that tell something.
 */
export function unfinished(
  seed: number,
  options: PublishOptions,
  isKept: (result: CaseResult) => boolean = () => true,
): Unfinished {
  const start = performance.now();
  const kept: CaseResult[] = [];
  let [done, planned] = [0, 0];
  let machine: Machine | undefined;
  return {
    begin: (on, count) => {
      machine = on;
      planned = count;
    },
    add: (result) => {
      done++;
      if (isKept(result)) kept.push(result);
    },
    async publish(thrown) {
      if (done === 0 || machine === undefined) throw thrown;
      const all = Number.isFinite(planned) ? planned : done;
      const broken = brokenOff(thrown, done, all);
      const seconds = (performance.now() - start) / 1000;
      const counts = { run: kept.length, ...countsOf(kept) };
      const summary = { planned: all, ...counts, seconds, interrupted: true };
      const verdict = overall(summary, { missing: broken.message });
      const code = await publish(
        resultsOf(machine, seed, { ...verdict, summary, growth: [], cases: kept }),
        options,
      );
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
