import { stillClock } from '../base/clock.ts';
import { VERSION } from '../base/version.ts';
import { kernelNames, seedOfDay } from '../config/campaign-of.ts';
import { type Flags, parseNumber } from '../config/flags.ts';
import { conflictingOptions } from '../config/messages.ts';
import { optionsOf } from '../config/node/options-of.ts';
import { digestOfSources } from '../config/node/sources.ts';
import { openExactPool } from '../exact/node/pool.ts';
import { fuzzCampaignIn } from '../farm/node/campaign-file.ts';
import { sayUnfinished } from '../farm/node/unfinished.ts';
import type { Store } from '../farm/store.ts';
import type { StoredCampaign } from '../farm/stored.ts';
import { usualInputs } from '../inputs/inputs.ts';
import { describePaths, knownPaths } from '../inspect/code-paths.ts';
import { builtinNames } from '../kernels/builtin-plan.ts';
import { ranges } from '../problem/ranges.ts';
import type { RoundTarget } from '../run/fuzz-round.ts';
import { judgesOn } from '../run/judge.ts';
import { openNodeMachine } from '../run/node/open-machine.ts';
import { Scheduler } from '../run/scheduler.ts';
import { replayParts } from './carry-out.ts';
import { sizeOf } from './fuzz-options.ts';
import { say } from './say.ts';

/** Options of a gate that say nothing of what is drawn. */
const OF_A_GATE = [
  ...['size', 'fringe', 'tail', 'replicates', 'plain', 'budget', 'cases', 'corpus', 'drift', 'baselines'],
] as const;

/**
 * Plans a campaign of drawn cases on this machine, as `fuzz` here would, and puts it into a store. The cases of the corpus are not of it.
 * @throws ParanoiaError `bad-number`, `conflicting-options`, those of options, machines and stores
 */
export async function plannedDraws(flags: Flags, store: Store): Promise<StoredCampaign> {
  const idle = OF_A_GATE.find((name) => flags[name] !== undefined);
  if (idle !== undefined) throw conflictingOptions({ one: '--fuzz', other: `--${idle}` });
  const runs = parseNumber('--fuzz', flags.fuzz, ranges.cases);
  const found = await optionsOf(flags);
  const { options, catalogue, sessionOf, sources, notes } = found;
  const { seed = seedOfDay(), adapter, toggles } = options;
  const patterns = (options.kernels && kernelNames(options.kernels)) ?? builtinNames;
  const names = [...new Set(patterns.flatMap((pattern) => catalogue.expand(pattern)))];
  const opened = await openNodeMachine(names, { catalogue, sessionOf, adapter, toggles });
  const judges = judgesOn(opened, { processor: openExactPool() });
  try {
    const judge = new Scheduler({ ...judges.options, machine: opened.machine });
    const targets: RoundTarget[] = [];
    for (const kernel of names) {
      const own = catalogue.external(kernel);
      for (const precision of own === undefined
        ? (options.precisions ?? ['f32'])
        : [own.precision ?? 'f32']) {
        const around =
          own && (await knownPaths(await judge.kernel({ kernel, precision }), { clock: stillClock }));
        if (around !== undefined) say(describePaths(kernel, around));
        const levels = own === undefined ? options.levels : undefined;
        targets.push({
          ...{ kernel, precision },
          ...(levels === undefined ? {} : { levels: [...levels] }),
          ...(around === undefined ? {} : { around: structuredClone(around) as RoundTarget['around'] }),
        });
      }
    }
    const files = sources();
    const { campaign, isNew } = await fuzzCampaignIn(store, {
      ...{ version: VERSION, command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '), seed },
      ...{ sources: digestOfSources(VERSION, files), files, thresholds: options.thresholds, catalogue },
      ...{ notes: [...notes], replay: replayParts(found, flags) },
      plan: {
        ...{ runs, maxSize: sizeOf(flags), targets },
        inputs: [...(options.inputs ?? usualInputs(catalogue.inputs).map(({ name }) => name))],
      },
    });
    if (isNew) await sayUnfinished(store, campaign, say);
    else say('It was submitted before: what is done of it stays.');
    return campaign;
  } finally {
    await judges.close();
  }
}
