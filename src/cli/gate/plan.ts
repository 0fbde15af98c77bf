import { join } from 'node:path';
import { ParanoiaError } from '../../base/errors.ts';
import { pathExists } from '../../base/node/path-exists.ts';
import { say } from '../../base/node/say.ts';
import { ensureWritable } from '../../base/node/write-file.ts';
import { makeCampaign } from '../../config/campaign-of.ts';
import type { RunRequest } from '../../config/command-options.ts';
import { makeCatalogFor } from '../../config/node/make-catalog-for.ts';
import { type CommandOptions, optionsOf } from '../../config/node/options-of.ts';
import type { RunOptions } from '../../config/options.ts';
import { runOptions } from '../../config/run-options.ts';
import type { WrongKernelHandler } from '../../config/schema.ts';
import { thorough } from '../../evidence/reference.ts';
import { noCases } from '../../fuzz/messages.ts';
import { defaultSample } from '../../gate/default-sample.ts';
import { describeEpilogueLimits } from '../../gate/epilogue-sample.ts';
import {
  describeRefusedShapes,
  describeUnsupported,
  findRefusedShapes,
} from '../../gate/external-campaign.ts';
import { planCampaign } from '../../gate/plan-campaign.ts';
import { describeThin } from '../../gate/thin.ts';
import { withoutWhole } from '../../gate/without-whole.ts';
import { checkWrittenCase } from '../../kernels/check-case.ts';
import type { KernelCatalog } from '../../kernels/kernel-catalog.ts';
import type { UserKernel } from '../../kernels/user-kernel.ts';
import { missingArgument } from '../../options/node/messages.ts';
import { flagOf } from '../../options/option.ts';
import { formatCase } from '../../problem/case.ts';
import { kernelsOf } from '../../run/campaign-on.ts';
import { corpusPlan } from '../../run/corpus.ts';
import { readCorpus } from '../../run/node/corpus-files.ts';
import { requireHostRoom } from '../../run/node/host-room.ts';
import { findStoredFolder } from '../../run/node/stored-folder.ts';
import type { PlannedCase } from '../../run/planned-case.ts';
import { parseShard, type Shard } from '../../run/shard.ts';
import { goneCase, idleOption, noKernels } from '../messages.ts';
import type { OtherRuntime } from './elsewhere.ts';
import { namedCases, namesCases } from './named-cases.ts';
import type { GateRequest } from './options.ts';

/** The plan of a gate, made before a device is opened. */
export interface GatePlan extends Omit<CommandOptions, 'ofConfig'> {
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
}

/**
 * Plans the run of a request and a config; undefined if no case is to run; that has then been reported.
 * @param onWrongKernel called with each kernel of the config that has a wrong option, which is then left out; by default it is refused
 * @throws ParanoiaError those of the options, `no-kernels`, `no-cases`, `idle-option`, and of cases that cannot be run
 */
export async function planGate(
  request: GateRequest,
  onWrongKernel?: WrongKernelHandler,
): Promise<GatePlan | undefined> {
  const shard = shardOf(request);
  requireFiles(request, 'gate');
  const { notes, ...found } = await optionsOf(request, onWrongKernel);
  const { options, referee } = found;
  requireKernels(options, request);
  const elsewhere =
    request.in === undefined
      ? undefined
      : (await import('./elsewhere.ts')).elsewhereOf(request, options, found.catalogue.algorithms);
  requireUseful(options, request, found.catalogue);
  const { names: kernels, external } = kernelsIn(options, found.catalogue);
  if (referee !== undefined && request.list === undefined) {
    const { startAhead } = await import('./untrusted.ts');
    await startAhead(referee.secret, external, found);
  }
  const named = await namedCases(request, { options, kernels });
  const isNamed = named !== undefined;
  const catalogue = isNamed ? makeCatalogFor(found.catalogue, kernelsOf(named)) : found.catalogue;
  const campaign = named ?? (await drawnCases(found, external));
  if (campaign.length === 0 && request.lastFailed !== undefined) return undefined;
  if (campaign.length === 0) throw noCases();
  for (const value of campaign) await requireRunnable(value, catalogue, request);
  // An untrusted kernel may know the results of earlier runs too, so its corpus is not used.
  const old = await corpusOf(request, campaign, catalogue, isNamed || referee !== undefined);
  return {
    ...{
      ...found,
      catalogue,
      isNamed,
      elsewhere,
      options: { ...options, out: ownFolder(options.out, shard, request) },
    },
    asked: [...old.cases, ...campaign.filter((value) => !old.has(value))],
    sample: isNamed || referee !== undefined ? [] : sampleOf(options, catalogue),
    shard,
    notes: [...notes, ...old.notes, ...(isNamed ? [] : refusals(options, catalogue))],
    thin: isNamed || options.sizes !== undefined ? [] : thinIn(options, catalogue, referee === undefined),
  };
}

/** Plans the campaign of a run, for its external kernels too. */
async function drawnCases(
  { options, referee, catalogue }: Pick<CommandOptions, 'options' | 'referee' | 'catalogue'>,
  external: readonly UserKernel[],
): Promise<PlannedCase[]> {
  const cases = planCampaign(makeCampaign(options), catalogue);
  if (referee === undefined) return cases;
  const { hideCases } = await import('./untrusted.ts');
  return hideCases(cases, referee.secret, external, options.sizes !== undefined, catalogue);
}

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
  catalogue: KernelCatalog,
  { lastFailed, replay }: GateRequest,
): Promise<void> {
  try {
    for (const one of [...(value.after ?? []), value]) await checkWrittenCase(one, catalogue);
  } catch (error) {
    if ((lastFailed ?? replay) === undefined || !(error instanceof ParanoiaError)) throw error;
    throw goneCase({ case: formatCase(value), why: error.message }, error);
  }
  const precision = catalogue.precisions.find(value.problem.precision);
  const isExternal = catalogue.external(value.kernel) !== undefined;
  requireHostRoom(value, precision, { ...thorough, isExternal });
}

function shardOf({ shard }: GateRequest): Shard | undefined {
  if (shard === undefined) return undefined;
  const { because, ...chosen } = parseShard(shard, process.env);
  if (because !== undefined) {
    say(`Shard ${chosen.index} of ${chosen.of}, by ${because}.`);
  }
  return chosen;
}

interface Corpus {
  readonly cases: readonly PlannedCase[];
  readonly notes: readonly string[];
  /** True if a case is among them. */
  has(value: PlannedCase): boolean;
}

/** Earlier failures of the kernels of a campaign; a note names those that can no longer be run. */
async function corpusOf(
  request: GateRequest,
  campaign: readonly PlannedCase[],
  catalogue: KernelCatalog,
  isNamed: boolean,
): Promise<Corpus> {
  const named = request.corpus;
  const folder = findStoredFolder('corpus', named, true);
  if (isNamed) return { cases: [], notes: [], has: () => false };
  const made =
    named === undefined || pathExists(folder)
      ? []
      : [`The corpus ${folder} did not exist. An empty one was created.`];
  const { entries, problems } = await readCorpus(folder);
  if (made.length > 0) ensureWritable(folder);
  const kernels = new Set(campaign.map(({ kernel }) => kernel));
  const { cases, notes } = await corpusPlan(
    entries,
    (kernel) => kernels.has(kernel),
    (value) => checkWrittenCase(value, catalogue),
  );
  const known = new Set(cases.filter(({ after }) => after === undefined).map(formatCase));
  const all = [...made, ...problems.map(({ message }) => message), ...notes];
  return { cases, notes: all, has: (value) => known.has(formatCase(value)) };
}

/** The kernels of a campaign, and the external ones among them. */
function kernelsIn(options: RunOptions, catalogue: KernelCatalog) {
  const names = [...new Set(makeCampaign(options).kernels.flatMap((pattern) => catalogue.expand(pattern)))];
  return { names, external: names.flatMap((name) => catalogue.external(name) ?? []) };
}

/** Requires a choice of kernels, so that a missing config cannot pass. @throws ParanoiaError `no-kernels` */
function requireKernels({ kernels }: RunOptions, request: GateRequest): void {
  if (kernels !== undefined || request.ours === true || namesCases(request)) return;
  throw noKernels({ folder: process.cwd() });
}

/** Options that affect only our kernels. */
const OF_OURS = ['levels', 'fringes', 'tails'] as const;

/**
 * Refuses useless options. @throws ParanoiaError `unknown-name` for a precision; `idle-option` for an option without effect on
 * any kernel of the run
 */
function requireUseful(options: RunOptions, request: GateRequest, catalogue: KernelCatalog): void {
  const { names, external } = kernelsIn(options, catalogue);
  if (external.length === 0 || external.length < names.length) return;
  const idle = OF_OURS.find((name) => request[name] !== undefined);
  const kernels = external.map(({ name }) => name);
  if (idle !== undefined)
    throw idleOption({
      option: flagOf(runOptions[idle]),
      kernels,
      why: 'only built-in kernels use it',
    });
  const wanted = request.precisions === undefined ? undefined : options.precisions;
  for (const name of wanted ?? []) catalogue.precisions.find(name);
  if (wanted === undefined || external.some(({ precision = 'f32' }) => wanted.includes(precision))) return;
  throw idleOption({
    option: '--precision',
    kernels,
    why: 'a kernel of your own states its precision',
  });
}

const thinIn = (options: RunOptions, catalogue: KernelCatalog, isTrusted: boolean): string[] =>
  kernelsIn(options, catalogue).external.flatMap((spec) => describeThin(spec, isTrusted) ?? []);

/** Notes on the cases that external kernels do not accept. */
function refusals(options: RunOptions, catalogue: KernelCatalog): string[] {
  const campaign = makeCampaign(options);
  return kernelsIn(options, catalogue).external.flatMap((spec) => {
    const refused = findRefusedShapes(campaign, spec);
    const untaken = campaign.plain ? undefined : describeUnsupported(spec);
    return [
      ...(refused === undefined ? [] : [describeRefusedShapes(refused)]),
      ...(untaken === undefined ? [] : [untaken]),
      ...describeEpilogueLimits(spec),
    ];
  });
}

/** Further cases of the other precisions and of fused products, if a run names neither sizes nor precisions. */
const sampleOf = (options: RunOptions, catalogue: KernelCatalog): PlannedCase[] =>
  (options.sizes ?? options.precisions) === undefined
    ? withoutWhole(defaultSample(makeCampaign(options), catalogue), catalogue)
    : [];
