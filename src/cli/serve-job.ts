import { optionsOf } from '../config/node/options-of.ts';
import { openExactPool } from '../exact/node/pool.ts';
import { parseCase } from '../problem/case.ts';
import { noBaselines } from '../run/baselines.ts';
import { judgesOn } from '../run/judge.ts';
import type { FromJob, ToJob } from '../run/node/jobs.ts';
import { openNodeMachine } from '../run/node/open-machine.ts';
import { runGate } from '../run/run-gate.ts';

/** What a process that judges is started with. */
export interface JobArgs {
  /** Those of the command that started it. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly kernels: readonly string[];
}

/**
 * Judges the cases that this process is sent, on a device of its own, until its parent lets go of it.
 * @param say tells the parent.
 * @param fail tells it what went wrong.
 */
export async function serve(
  { flags, kernels }: JobArgs,
  say: (answer: FromJob) => void,
  fail: (error: unknown) => void,
): Promise<void> {
  const { options, catalogue, sessionOf } = await optionsOf(flags);
  const { adapter, toggles, thresholds } = options;
  const opened = await openNodeMachine(kernels, { catalogue, sessionOf, adapter, toggles });
  const judges = judgesOn(opened, { processor: openExactPool() });
  let open = opened.machine;
  let stopping = false;
  const judge = async (cases: Exclude<ToJob, 'stop'>) => {
    const planned = cases.map(({ text, after, series, detailed }) => {
      const others = after.map((other) => parseCase(other));
      return { ...parseCase(text), after: others, series, detailed };
    });
    const known = cases.flatMap(({ text, baseline }) => (baseline === undefined ? [] : [[text, baseline]]));
    const baselines = { ...noBaselines(open.fingerprint.id), cases: Object.fromEntries(known) };
    const outcome = await runGate(planned, {
      ...{ ...judges.options, open, thresholds, baselines, stop: () => stopping },
      onCase: (result, done) => say({ at: cases[done - 1].at, result }),
    });
    open = outcome.open;
    say({ aside: { versions: await opened.versions(), said: judges.said.splice(0) } });
  };
  process.on('message', (message: ToJob) => {
    if (message === 'stop') stopping = true;
    else judge(message).catch(fail);
  });
  process.on('disconnect', () => judges.close().finally(() => process.exit()));
  say('ready');
}
