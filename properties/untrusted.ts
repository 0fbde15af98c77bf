import { planGate } from '../src/cli/gate/plan.ts';
import { noBaselines } from '../src/run/baselines.ts';
import type { RunOutcome } from '../src/run/judge.ts';
import { judgeInNode } from '../src/run/node/judge.ts';

/** The options of a judgment of a file. */
export interface Refereed {
  readonly seed: number;
  /** Most cases that are judged, so that no clock decides. */
  readonly cases: number;
  /** Number of failures after which no case begins. @defaultValue 1 */
  readonly bail?: number;
  /** The required sandbox. @defaultValue none */
  readonly sandbox?: 'required' | 'off';
}

/** Number of products of each long life, so that no clock decides. */
const LIFE = { count: 5000 };

/** Judges a kernel in a file as `judge` does, with the requested number of cases. */
export async function judgeUntrusted(
  file: string,
  { seed, cases, bail = 1, sandbox = 'off' }: Refereed,
): Promise<RunOutcome> {
  const plan = await planGate({ files: [file], untrusted: true, sandbox, cases, seed });
  if (plan === undefined) throw new Error(`There is nothing to run of ${file}.`);
  const { options, catalog, sessionOf, asked } = plan;
  let failures = 0;
  return judgeInNode({
    ...{ catalog, sessionOf, adapter: options.adapter, toggles: options.toggles },
    ...{ thresholds: options.thresholds, asked: asked.slice(0, cases), sample: [], whole: false },
    ...{ baselines: noBaselines, wary: true, life: LIFE },
    onCase: ({ verdict }) => {
      if (verdict === 'fail') failures++;
    },
    stop: () => failures >= bail,
  });
}
