import type { Catalogue } from '../../kernels/catalogue.ts';
import { TIME_LIMIT } from '../../kernels/deadline.ts';
import type { Judged, JudgeOptions } from '../../run/judge.ts';
import { type Task, tellCase } from '../task.ts';
import { bundled, type Sources } from './bundle.ts';
import { findRuntime, versionOf } from './find.ts';
import { type Hearing, listenTo } from './listen.ts';
import { requirePortable } from './portable.ts';
import type { Runtime } from './runtime.ts';
import { type Served, serve } from './serve.ts';
import { softwareFor } from './software.ts';
import { type Started, startRuntime } from './started.ts';

/** Options of judging in another runtime. */
export interface JudgeInOptions
  extends Omit<Hearing, 'patience'>,
    Pick<Task, 'judging' | 'campaign' | 'adapter' | 'replay' | 'endsEarly' | 'shrinking'>,
    Pick<JudgeOptions, 'catalogue' | 'asked' | 'sample' | 'waivers'> {
  /** The user's code. */
  readonly origins: Sources;
  /** Toggles of Dawn. */
  readonly toggles: readonly string[];
  /** True if the standard error of the runtime is passed on. @defaultValue false */
  readonly verbose?: boolean;
}

/** Milliseconds between two checks whether the run must end. */
const ASKING = 100;

/**
 * Judges the planned cases in another runtime, by the code that judges everywhere. The runtime is ended with all that it started,
 * whatever happens.
 * @throws ParanoiaError `runtime-missing`, `runtime-not-started`, `runtime-without-gpu`, `runtime-ended`, `runtime-hangs`,
 * `not-in-runtime`, `bundler-missing`, `not-bundled`, `code-refused`, and errors of `judge` there
 */
export async function judgeIn(runtime: Runtime, options: JudgeInOptions): Promise<Judged> {
  const { asked, sample, catalogue, origins, toggles, stop = () => false, verbose = false } = options;
  const kernels = [...new Set([...asked, ...sample].map(({ kernel }) => kernel))];
  requirePortable(kernels, catalogue, origins.files, runtime);
  const path = findRuntime(runtime);
  const software = softwareFor(runtime, options.adapter);
  const [code, version] = await Promise.all([bundled(origins, runtime), versionOf(path)]);
  const known: Task['known'] = {
    ...(version === undefined ? {} : { dawn: `${runtime.name} ${version} (${runtime.by})` }),
    ...(typeof software === 'object' ? { origin: software.origin } : {}),
    ...{ toggles, chosenBecause: `${runtime.name} offers it` },
  };
  const task = taskOf(options, known);
  const listening = listenTo(runtime, { ...options, patience: patienceIn(catalogue) });
  let served: Served | undefined;
  let started: Started | undefined;
  const asking = setInterval(() => stop() && served?.stop(), ASKING);
  try {
    served = await serve({ code, task, ...listening.ears });
    const { page, module } = served;
    started = startRuntime(runtime, path, { page, module, software, toggles }, verbose);
    void started.ended.then(listening.ended);
    return await listening.judged;
  } finally {
    clearInterval(asking);
    listening.close();
    await started?.end();
    served?.close();
  }
}

function taskOf({ asked, sample, waivers = [], ...options }: JudgeInOptions, known: Task['known']): Task {
  const { judging, campaign, adapter, replay, endsEarly, shrinking } = options;
  return {
    ...{ judging, campaign, adapter, replay, endsEarly, shrinking, known },
    ...{ asked: asked.map(tellCase), sample: sample.map(tellCase) },
    waivers: waivers.map(({ matches: _, ...waiver }) => waiver),
  };
}

/** The most products for which a case may be silent, in units of a product's time limit, and the seconds for all else. */
const [PRODUCTS, ELSE] = [10, 60];

/** The seconds for which a runtime may be silent during a case of a kernel. */
const patienceIn =
  (catalogue: Catalogue) =>
  (kernel?: string): number => {
    const spec = kernel === undefined ? undefined : catalogue.external(kernel);
    return ELSE + PRODUCTS * (spec?.timeLimit ?? TIME_LIMIT);
  };
