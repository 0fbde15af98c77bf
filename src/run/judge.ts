import { loadPart } from '../base/part.ts';
import { type CaseResult, plannedText } from '../evidence/case-result.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import type { LifeSpan } from '../evidence/long-life.ts';
import { oracleOn } from '../evidence/oracle.ts';
import type { Timing } from '../evidence/timing.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import { isDevice, type Machine } from '../gpu/device.ts';
import type { ProbeAnswer } from '../gpu/probe/question.ts';
import { tuningSentences } from '../gpu/tuning/tuning.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { Matrix } from '../matrix/dense.ts';
import { formatCase } from '../problem/case.ts';
import type { Baselines } from './baselines.ts';
import { type CampaignOptions, campaignOn, kernelsOf, selectPart } from './campaign-on.ts';
import type { ExternalInspectionOptions } from './inspect-external.ts';
import { type Keeper, reportKnownResults } from './keeper.ts';
import { joinVersions, type OpenMachine, type Versions } from './open-machine.ts';
import type { PlannedCase } from './planned-case.ts';
import { probeMachine } from './probe-machine.ts';
import type { Results } from './results.ts';
import { type GateOptions, type GateOutcome, runGate, spendingOf } from './run-gate.ts';
import { emptyVerdict, type Shard } from './shard.ts';
import type { Spending } from './spending.ts';

export interface JudgeOptions
  extends CampaignOptions,
    ExternalInspectionOptions,
    Pick<
      GateOptions,
      | 'thresholds'
      | 'onBegin'
      | 'onCase'
      | 'replay'
      | 'stop'
      | 'waivers'
      | 'budget'
      | 'clock'
      | 'shrink'
      | 'enough'
    > {
  readonly open: (kernels: readonly string[]) => Promise<OpenMachine>;
  /** Computes exact products without a GPU. @defaultValue this thread */
  readonly processor?: ExactProcessor | undefined;
  /** Sentences on kernels that accept so few shapes that their cases cannot make a pass. */
  readonly thin?: readonly string[];
  /** Sentences on what was left out of the cases. */
  readonly notes?: readonly string[];
  /** The shard of the cases to run. @defaultValue all */
  readonly shard?: Shard | undefined;
  /** Knows earlier results, and keeps the new ones. @defaultValue none */
  readonly keeper?: Keeper | undefined;
  /** Earlier results by the text of their case. They are reported again instead of a new judgment. @defaultValue none */
  readonly known?: ReadonlyMap<string, CaseResult> | undefined;
  /** True if kernels are untrusted. The context of their products is then drawn at random. @defaultValue false */
  readonly wary?: boolean;
  /** Duration of each long life of such a kernel. @defaultValue 60 seconds */
  readonly life?: LifeSpan | undefined;
  /** True if the time was over, when the run was ended early. @defaultValue the user ended it */
  readonly isLate?: (() => boolean) | undefined;
  /** Receives the time of each phase. */
  readonly timing?: Timing | undefined;
  /** Delegates the cases to other processes, if any. */
  readonly elsewhere?: ((judging: SharedRun) => Pick<GateOptions, 'judgeCases' | 'processes'>) | undefined;
  /** Called when the machine is open, with the cases to run. */
  readonly onStart?: (machine: Machine, planned: readonly PlannedCase[]) => void;
}

/** Computes exact products on the processor, until it is closed. */
export interface ExactProcessor {
  readonly product: (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;
  close(): Promise<void>;
}

/** A run whose cases other processes may judge, and where their reports are collected. */
export interface SharedRun
  extends Pick<JudgeOptions, 'thresholds' | 'stop' | 'timing'>,
    Pick<GateOptions, 'followsSpeed'> {
  readonly opened: OpenMachine;
  readonly baselines: Baselines;
  /** Sentences of the oracles of these processes. */
  readonly said: string[];
  /** Versions of the kernels as these processes report them. */
  readonly versions: Versions[];
}

/** Outcome of a judged campaign. */
export interface RunOutcome extends Omit<GateOutcome, 'open'> {
  readonly machine: Machine;
  readonly baselines: Baselines;
  readonly probe?: ProbeAnswer[];
  readonly versions?: Versions;
  readonly inspections?: Inspection[];
  readonly notes?: string[];
  readonly campaign: NonNullable<Results['campaign']>;
  readonly shard?: NonNullable<Results['shard']>;
}

/**
 * Opens the machine for the cases, runs and judges them, and closes the machine.
 * @throws ParanoiaError `no-adapter`, `device-refused`, `precision-unserved`, or an error of the device while it is opened.
 */
export async function judge(options: JudgeOptions): Promise<RunOutcome> {
  const { asked, sample, thresholds, shard, waivers, onStart, stop, enough } = options;
  const opened = await options.open(kernelsOf([...asked, ...sample]));
  let spending: Spending | undefined;
  const judges = openJudges(opened, {
    ...options,
    ends: () => stop?.() === true || spending?.isOver() === true,
  });
  try {
    const { machine } = opened;
    const plan = await campaignOn(opened, options);
    const { about, cases: campaign, baselines } = plan;
    const versionsSaid = async (): Promise<Versions> =>
      joinVersions([...judges.versions, await versionsAtLast(opened)]);
    const kept = await options.keeper?.open({
      ...{ planned: plan, machine, said: judges.said, versions: versionsSaid, stop },
    });
    const part = selectPart(plan, shard, kept);
    const planned = part.cases;
    const notes = [...(options.notes ?? []), ...plan.notes, ...describeTuning(machine)];
    onStart?.(machine, planned);
    await opened.start(kernelsOf(planned));
    const probe = isDevice(machine) ? { probe: await probeMachine(machine) } : {};
    const followsSpeed = followsSpeedOf(options);
    const elsewhere = options.elsewhere?.({
      ...{ opened, baselines, thresholds, stop, followsSpeed, timing: options.timing },
      ...{ said: judges.said, versions: judges.versions },
    });
    spending = spendingOf(options.budget, { processes: elsewhere?.processes, clock: options.clock });
    const { open: _, ...found } = await runGate(planned, {
      ...{ ...judges.options, thresholds, baselines, whole: about.whole && shard === undefined },
      ...{ onBegin: options.onBegin, onCase: options.onCase, replay: options.replay, stop, waivers, enough },
      ...{ spending, budget: options.budget, clock: options.clock, shrink: options.shrink, followsSpeed },
      ...{ ...elsewhere, keeping: kept?.judging ?? reportKnownResults(options.known) },
    });
    notes.push(...aboutOracle(judges.said));
    const said = new Map(Object.entries(await versionsSaid()));
    const versions = kernelsOf(planned).flatMap((kernel) => {
      const found = said.get(kernel);
      return found === undefined ? [] : [[kernel, found]];
    });
    const { pickCasePerKernel, inspectExternal } = await loadPart(
      'inspects kernels',
      () => import('./inspect-external.ts'),
    );
    const { made, ended } = found.summary.interrupted
      ? { made: [], ended: [] }
      : await inspectExternal(
          pickCasePerKernel(part.inspects, campaign, found.cases, enough?.wrong),
          opened,
          { ...options, spending },
          kept,
        );
    const { conclude, describeTimeLimits } = await loadPart('concludes a run', () => import('./conclude.ts'));
    const lacks = [
      ...describeTimeLimits(found.summary, {
        ...{ isOver: spending.isOver(), isLate: options.isLate?.() },
        unmet: neededOf(planned, found.cases),
        needed: planned.filter(({ needed }) => needed === true).length,
        isCutShort: made.length > 0 && (stop?.() === true || spending.isOver()),
      }),
      ...(found.broken === undefined ? [] : [found.broken.message]),
      ...[enough?.sentence() ?? []].flat(),
      ...(found.summary.fail > 0 ? [] : [...(about.lacks ?? []), ...(options.thin ?? [])]),
      ...ended,
    ];
    const concluded = conclude(found, made, lacks);
    return {
      ...{ ...found, ...concluded },
      ...{ ...probe, machine, baselines, campaign: about },
      ...(shard === undefined ? {} : { shard: { ...shard, places: [...part.places] } }),
      ...(shard !== undefined && planned.length === 0 ? emptyVerdict(shard, campaign.length) : {}),
      ...(versions.length > 0 ? { versions: Object.fromEntries(versions) } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
  } finally {
    await judges.close();
  }
}

/** Tells of which kernels the cases follow the speed: of external ones, if seconds limit a run whose order is free. */
const followsSpeedOf = ({ budget, ordered, catalog }: JudgeOptions): GateOptions['followsSpeed'] =>
  typeof budget === 'number' && ordered !== true
    ? (kernel) => catalog.external(kernel) !== undefined
    : undefined;

/** Returns the cases that a pass needs and that did not run. */
function neededOf(planned: readonly PlannedCase[], cases: readonly CaseResult[]): PlannedCase[] {
  const run = new Set(cases.map(plannedText));
  return planned.filter((value) => value.needed === true && !run.has(formatCase(value)));
}

const thisThread: ExactProcessor = { product: exactProduct, close: async () => {} };

/** Returns what judges on a machine: its kernels, another device after a loss, and exact products with the sentences on them. */
export function openJudges(
  opened: OpenMachine,
  {
    processor = thisThread,
    timing,
    wary,
    life,
    ends,
  }: Pick<JudgeOptions, 'processor' | 'timing' | 'wary' | 'life'> & { readonly ends?: () => boolean },
) {
  const said: string[] = [];
  let current = opened.machine;
  const reopen = async () => {
    current = await opened.reopen();
    return current;
  };
  const exact = oracleOn({
    device: () => (isDevice(current) ? current : undefined),
    cpu: processor.product,
    say: (sentence) => said.push(sentence),
  });
  const evaluator = new Evaluator(exact, { items: opened.catalog, timing, wary, life, ends });
  return {
    options: { open: opened.machine, reopen, kernelOf: opened.kernelOf, evaluator },
    said,
    /** Versions of the kernels as other judging processes report them. */
    versions: [] as Versions[],
    async close() {
      await opened.close();
      await processor.close();
    },
  };
}

// Results are kept where a kernel no longer reports its versions.
const versionsAtLast = (opened: OpenMachine): Promise<Versions> => opened.versions().catch(() => ({}));

/** Summarizes the sentences of an oracle in one sentence and a number. */
export function aboutOracle([first, ...more]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [more.length === 0 ? first : `${first} The same applies to ${more.length} more.`];
}

/** Returns sentences on the local tuning, which selects leaf kernels: a tuning in the user's cache differs between users. */
export function describeTuning(machine: Machine): string[] {
  if (!isDevice(machine)) return [];
  const { tuning, tuningNote } = machine;
  return tuningSentences({ tuningNote, tuning: tuning?.cached === true ? tuning : undefined });
}
