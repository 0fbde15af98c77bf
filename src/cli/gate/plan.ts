import { join } from 'node:path';
import { ParanoiaError } from '../../base/errors.ts';
import { say } from '../../base/node/say.ts';
import { optimizeLate } from '../../base/node/v8-options.ts';
import { limitFor, makeCampaign, seedOf } from '../../config/campaign-of.ts';
import type { RunRequest } from '../../config/command-options.ts';
import { makeCatalogFor } from '../../config/node/mentioned-tables.ts';
import { type CommandOptions, optionsOf } from '../../config/node/options-of.ts';
import type { RunOptions } from '../../config/options.ts';
import { runOptions } from '../../config/run-options.ts';
import type { WrongKernelHandler } from '../../config/schema.ts';
import { thorough } from '../../evidence/reference.ts';
import { noCases } from '../../fuzz/messages.ts';
import type { Campaign } from '../../gate/campaign.ts';
import { defaultSample } from '../../gate/default-sample.ts';
import { describeLeftOut } from '../../gate/external-campaign.ts';
import { planCampaign } from '../../gate/plan-campaign.ts';
import { describeThin } from '../../gate/thin.ts';
import { withClaimedEntries } from '../../gate/with-claimed-entries.ts';
import { checkWrittenCase } from '../../kernels/check-case.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import type { Gemm } from '../../matrix/gemm.ts';
import { missingArgument } from '../../options/messages.ts';
import { flagOf } from '../../options/option.ts';
import { formatCase } from '../../problem/case.ts';
import { type RunLimit, secondsIn } from '../../run/budget.ts';
import { kernelsOf } from '../../run/campaign-on.ts';
import { planCorpus } from '../../run/node/corpus-files.ts';
import { requireHostRoom } from '../../run/node/host-room.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { parseShard, type Shard } from '../../run/shard.ts';
import { goneCase, idleOption, noKernels } from '../messages.ts';
import type { OtherRuntime } from './elsewhere.ts';
import { jobsOf } from './jobs-of.ts';
import { namedCases, namesCases } from './named-cases.ts';
import type { GateRequest } from './options.ts';
import type { StartedAhead } from './start-ahead.ts';

/** The plan of a gate, made before a device is opened. */
export interface GatePlan extends Omit<CommandOptions, 'ofConfig'> {
  readonly campaign: Campaign;
  /** The seed that the results report. */
  readonly seed: number;
  /** The limit of the cases of each kernel, if any. */
  readonly limit: RunLimit | undefined;
  /** The seconds for the cases of each kernel; infinite where cases are counted or named. */
  readonly seconds: number;
  /** Requested cases, those of the corpus first. */
  readonly asked: readonly PlannedCase[];
  /** Further cases, which run if the device serves their precision. */
  readonly sample: readonly PlannedCase[];
  /** True if options name the cases, so that nothing is drawn, left out or inspected. */
  readonly isNamed: boolean;
  readonly shard: Shard | undefined;
  /** Sentences on kernels that accept few shapes of a default campaign. */
  readonly thin: readonly string[];
  /** Another runtime that judges, if any. */
  readonly elsewhere: OtherRuntime | undefined;
  /** Processes that started while the cases were planned, if any. */
  readonly ahead?: StartedAhead | undefined;
}

/**
 * Plans the run of a request and a config; undefined if no case is to run; that has then been reported.
 * @param onWrongKernel called with each kernel of the config that has a wrong option, which is then left out; by default it is refused
 * @param ahead starts processes where they will judge here
 * @throws ParanoiaError those of the options, `no-kernels`, `no-cases`, `idle-option`, and of cases that cannot be run
 */
export async function planGate(
  request: GateRequest,
  onWrongKernel?: WrongKernelHandler,
  ahead?: StartedAhead,
): Promise<GatePlan | undefined> {
  optimizeLate();
  const shard = shardOf(request);
  requireFiles(request, 'gate');
  const { notes, options: given, ...found } = await optionsOf(request, onWrongKernel);
  const options = { ...given, out: ownFolder(given.out, shard, request) };
  const { referee } = found;
  requireKernels(options, request);
  const elsewhere =
    request.in === undefined
      ? undefined
      : (await import('./elsewhere.ts')).elsewhereOf(request, options, found.catalog.algorithms);
  const campaign = makeCampaign(options);
  const { names: kernels, external } = kernelsIn(campaign, found.catalog);
  if (external.length > 0 && external.length === kernels.length)
    requireUseful(options, request, external, found.catalog);
  if (referee !== undefined && request.list === undefined) {
    const { startAhead } = await import('./untrusted.ts');
    await startAhead(referee.secret, external, found);
  }
  // Further cases are of the other precisions and of fused products.
  const sample =
    namesCases(request) || referee !== undefined || (options.sizes ?? options.precisions) !== undefined
      ? []
      : withClaimedEntries(defaultSample(campaign, found.catalog), found.catalog);
  const limit = limitFor(options);
  const isMany = !namesCases(request) && (options.sizes ?? options.inputs) === undefined;
  if (isMany && elsewhere === undefined && referee === undefined && request.list !== true) {
    const many = { kernels: [...kernels, ...kernelsOf(sample)], count: MANY, limit };
    await ahead?.begin(external, found, jobsOf(options.jobs, request, many, found.catalog));
  }
  const named = await namedCases(request, { options: given, kernels });
  const isNamed = named !== undefined;
  const catalog = isNamed ? await makeCatalogFor(found.catalog, kernelsOf(named)) : found.catalog;
  let cases = named ?? planCampaign(campaign, catalog);
  if (!isNamed && referee !== undefined) {
    const { hideCases } = await import('./untrusted.ts');
    cases = hideCases(cases, referee.secret, external, options.sizes !== undefined, catalog);
  }
  if (cases.length === 0 && request.lastFailed !== undefined) return undefined;
  if (cases.length === 0) throw noCases();
  for (const value of cases) await requireRunnable(value, catalog, request);
  // An untrusted kernel may know the results of earlier runs too, so its corpus is not used.
  const old = isNamed || referee !== undefined ? undefined : await planCorpus(request.corpus, cases, catalog);
  return {
    ...{ ...found, options, campaign, catalog, isNamed, elsewhere, limit, shard, ahead },
    ...(ahead === undefined ? {} : { sessionOf: ahead.sessionOf(found.sessionOf) }),
    seed: seedOf(campaign),
    seconds: isNamed ? Number.POSITIVE_INFINITY : secondsIn(limit),
    asked: old === undefined ? cases : [...old.cases, ...cases.filter((value) => !old.has(value))],
    sample,
    notes: [...notes, ...(old?.notes ?? []), ...(isNamed ? [] : describeLeftOut(campaign, external))],
    thin:
      isNamed || options.sizes !== undefined
        ? []
        : external.flatMap((spec) => describeThin(spec, referee === undefined) ?? []),
  };
}

/** The cases that a gate has at least, as a guess before they are planned. */
const MANY = 1000;

/** Requires a file for untrusted kernels. @throws ParanoiaError `missing-argument` */
export function requireFiles({ untrusted, files }: RunRequest, command: string): void {
  if (untrusted === true && files === undefined)
    throw missingArgument({
      command: `gemm-paranoia ${command} <file#kernel> --untrusted`,
      argument: 'file#kernel',
    });
}

/**
 * Returns the folder of the reports. A replay and a shard get folders of their own, unless the command line names one, so that reports of
 * other runs are kept.
 */
export const ownFolder = (out: string, shard: Shard | undefined, request: GateRequest): string =>
  request.replay !== undefined
    ? join(out, 'replay')
    : shard === undefined || request.out !== undefined
      ? out
      : join(out, `shard-${shard.index}-of-${shard.of}`);

/** Checks that a case can be run. @throws ParanoiaError of the case; `gone-case` if an earlier run could run it */
async function requireRunnable(
  value: PlannedCase,
  catalog: KernelCatalog,
  { lastFailed, replay }: GateRequest,
): Promise<void> {
  let gemm: Gemm;
  try {
    for (const one of value.after ?? []) await checkWrittenCase(one, catalog);
    gemm = await checkWrittenCase(value, catalog);
  } catch (error) {
    if ((lastFailed ?? replay) === undefined || !(error instanceof ParanoiaError)) throw error;
    throw goneCase({ case: formatCase(value), why: error.message }, error);
  }
  const precision = catalog.precisions.find(value.problem.precision);
  const isExternal = catalog.external(value.kernel) !== undefined;
  requireHostRoom(gemm, precision, { ...thorough, isExternal });
}

function shardOf({ shard }: GateRequest): Shard | undefined {
  if (shard === undefined) return undefined;
  const { because, ...chosen } = parseShard(shard, process.env);
  if (because !== undefined) {
    say(`Shard ${chosen.index} of ${chosen.of}, by ${because}.`);
  }
  return chosen;
}

function kernelsIn({ kernels }: Campaign, catalog: KernelCatalog) {
  const names = [...new Set(kernels.flatMap((pattern) => catalog.expand(pattern)))];
  return { names, external: names.flatMap((name) => catalog.external(name) ?? []) };
}

/** Requires a choice of kernels, so that a missing config cannot pass. @throws ParanoiaError `no-kernels` */
function requireKernels({ kernels }: RunOptions, request: GateRequest): void {
  if (kernels !== undefined || request.ours === true || namesCases(request)) return;
  throw noKernels({ folder: process.cwd() });
}

/** Options that affect only our kernels. */
const OF_OURS = ['levels', 'fringes', 'tails'] as const;

/**
 * Refuses options that are useless where all kernels are external. @throws ParanoiaError `unknown-name` for a precision; `idle-option` for
 * an option without effect on any kernel of the run
 */
function requireUseful(
  options: RunOptions,
  request: GateRequest,
  external: readonly UserKernel[],
  catalog: KernelCatalog,
): void {
  const idle = OF_OURS.find((name) => request[name] !== undefined);
  const kernels = external.map(({ name }) => name);
  if (idle !== undefined)
    throw idleOption({
      option: flagOf(runOptions[idle]),
      kernels,
      why: 'only built-in kernels use it',
    });
  const wanted = request.precisions === undefined ? undefined : options.precisions;
  for (const name of wanted ?? []) catalog.precisions.find(name);
  if (wanted === undefined || external.some(({ precision = 'f32' }) => wanted.includes(precision))) return;
  throw idleOption({
    option: '--precision',
    kernels,
    why: 'a kernel of your own states its precision',
  });
}
