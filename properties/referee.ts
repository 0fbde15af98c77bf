import { planGate } from '../src/cli/gate/plan.ts';
import { noBaselines } from '../src/run/baselines.ts';
import type { Judged } from '../src/run/judge.ts';
import { judgeInNode } from '../src/run/node/judge.ts';

/** What is judged of a file, and how much of it. */
export interface Refereed {
  readonly seed: number;
  /** Cases that are judged at most: no clock decides. */
  readonly cases: number;
  /** Failures after which no case is begun. @defaultValue 1 */
  readonly bail?: number;
  /** What must confine it. @defaultValue nothing */
  readonly sandbox?: 'required' | 'off';
}

/** Products of each long life: no clock decides. */
const LIFE = { count: 5000 };

/** Judges a kernel in a file as `judge` does, as many cases of it as are asked for. */
export async function refereed(
  file: string,
  { seed, cases, bail = 1, sandbox = 'off' }: Refereed,
): Promise<Judged> {
  const plan = await planGate({ files: [file], untrusted: true, sandbox, cases, seed });
  if (plan === undefined) throw new Error(`There is nothing to run of ${file}.`);
  const { options, catalogue, sessionOf, asked } = plan;
  let failures = 0;
  return judgeInNode({
    ...{ catalogue, sessionOf, adapter: options.adapter, toggles: options.toggles },
    ...{ thresholds: options.thresholds, asked: asked.slice(0, cases), sample: [], whole: false },
    ...{ baselines: noBaselines, wary: true, life: LIFE },
    onCase: ({ verdict }) => {
      if (verdict === 'fail') failures++;
    },
    stop: () => failures >= bail,
  });
}
