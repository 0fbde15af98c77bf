import { say } from '../../base/node/say.ts';
import { stillClock } from '../../base/time.ts';
import { VERSION } from '../../base/version.ts';
import { kernelNames, seedOfDay } from '../../config/campaign-of.ts';
import { optionsOf } from '../../config/node/options-of.ts';
import { digestOfSources } from '../../config/node/sources.ts';
import { openExactPool } from '../../exact/node/pool.ts';
import { storeFuzzCampaign } from '../../farm/node/campaign-file.ts';
import { sayUnfinished } from '../../farm/node/kept-batches.ts';
import type { Store } from '../../farm/queue.ts';
import type { StoredCampaign } from '../../farm/stored.ts';
import { listDefaultInputs } from '../../inputs/inputs.ts';
import { describePaths, knownPaths } from '../../inspect/code-paths.ts';
import { builtinNames } from '../../kernels/builtin-plan.ts';
import type { RoundTarget } from '../../run/fuzz-round.ts';
import { openJudges } from '../../run/judge.ts';
import { openNodeMachine } from '../../run/node/open-machine.ts';
import { Scheduler } from '../../run/scheduler.ts';
import { MAX_SIZE } from '../fuzz/options.ts';
import { replayParts } from '../gate/carry-out.ts';
import type { SubmitRequest } from './options.ts';

/**
 * Plans a campaign of drawn cases on this machine, as `fuzz` would, and stores it. The corpus is left out.
 * @throws ParanoiaError those of options, machines and stores
 */
export async function planDraws(request: SubmitRequest, runs: number, store: Store): Promise<StoredCampaign> {
  const found = await optionsOf(request);
  const { options, catalog, sessionOf, sources, notes } = found;
  const { seed = seedOfDay(), adapter, toggles } = options;
  const patterns = (options.kernels && kernelNames(options.kernels)) ?? builtinNames;
  const names = [...new Set(patterns.flatMap((pattern) => catalog.expand(pattern)))];
  const opened = await openNodeMachine(names, { catalog, sessionOf, adapter, toggles });
  const judges = openJudges(opened, { processor: openExactPool() });
  try {
    const judge = new Scheduler({ ...judges.options, machine: opened.machine });
    const targets: RoundTarget[] = [];
    for (const kernel of names) {
      const own = catalog.external(kernel);
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
    const { campaign, isNew } = await storeFuzzCampaign(store, {
      ...{ version: VERSION, command: ['gemm-paranoia', ...process.argv.slice(2)].join(' '), seed },
      ...{ sources: digestOfSources(VERSION, files), files, thresholds: options.thresholds, catalog },
      ...{ notes: [...notes], replay: replayParts(found, request) },
      plan: {
        ...{ runs, maxSize: request.maxSize ?? MAX_SIZE, targets },
        inputs: [...(options.inputs ?? listDefaultInputs(catalog.inputs).map(({ name }) => name))],
      },
    });
    if (isNew) await sayUnfinished(store, campaign, say);
    else say('The campaign was submitted before: finished batches are kept.');
    return campaign;
  } finally {
    await judges.close();
  }
}
