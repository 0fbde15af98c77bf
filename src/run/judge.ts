import { lookUp } from '../base/look-up.ts';
import { part as load } from '../base/part.ts';
import type { CaseResult } from '../evidence/case-result.ts';
import { Evaluator } from '../evidence/evaluate.ts';
import type { LifeSpan } from '../evidence/long-life.ts';
import type { Timing } from '../evidence/timing.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import { isDevice, type Machine } from '../gpu/device.ts';
import { oracleOn } from '../gpu/exact/oracle.ts';
import type { ProbeAnswer } from '../gpu/probe/answer.ts';
import { tuningSentences } from '../gpu/tuning/tuning.ts';
import type { Inspection } from '../inspect/inspection.ts';
import type { Matrix } from '../matrix/dense.ts';
import { formatCase } from '../problem/case.ts';
import type { Baselines } from './baselines.ts';
import { type CampaignOptions, campaignOn, kernelsOf, partOf } from './campaign-on.ts';
import type { InspectOptions } from './inspect-external.ts';
import { joinedVersions } from './joined-versions.ts';
import { type Keeper, telling } from './keeping.ts';
import type { OpenMachine, Versions } from './open-machine.ts';
import type { PlannedCase } from './planned-case.ts';
import { probed } from './probed.ts';
import type { Results } from './results.ts';
import { type GateOptions, type GateOutcome, runGate, spendingOf } from './run-gate.ts';
import { emptyVerdict, type Shard } from './shard.ts';
import type { Spending } from './spending.ts';

/** What is judged, and how. */
export interface JudgeOptions
  extends CampaignOptions,
    InspectOptions,
    Pick<
      GateOptions,
      'thresholds' | 'onBegin' | 'onCase' | 'replay' | 'stop' | 'waivers' | 'budget' | 'shrink' | 'enough'
    > {
  /** Opens what kernels of these names need. */
  readonly open: (kernels: readonly string[]) => Promise<OpenMachine>;
  /** What computes exact products beside a GPU. @defaultValue this thread */
  readonly processor?: ExactProcessor | undefined;
  /** Sentences on kernels that take so few shapes that passing them does not make a pass. */
  readonly thin?: readonly string[];
  /** Sentences on what was left out of them. */
  readonly notes?: readonly string[];
  /** The part of them to run. Default: all. */
  readonly shard?: Shard | undefined;
  /** Knows what was judged before, and keeps what is judged now. Default: nobody does. */
  readonly keeper?: Keeper | undefined;
  /** Else what was judged of these cases before, by their texts: it is told again, and they are not judged. Default: nothing. */
  readonly known?: ReadonlyMap<string, CaseResult> | undefined;
  /** Whether kernels are not trusted: what is asked around their products is then drawn. @defaultValue false */
  readonly wary?: boolean;
  /** How long each long life of such a kernel is. @defaultValue 60 seconds */
  readonly life?: LifeSpan | undefined;
  /** Asked where the run was ended early: true if its time was over. @defaultValue somebody ended it */
  readonly isLate?: (() => boolean) | undefined;
  /** Told where the time goes. */
  readonly timing?: Timing | undefined;
  /** Who judges the cases instead of this process, if anybody. */
  readonly elsewhere?: ((judging: Judging) => Pick<GateOptions, 'judgeCases' | 'processes'>) | undefined;
  /** Called when the machine is open: what will be run. */
  readonly onStart?: (machine: Machine, planned: readonly PlannedCase[]) => void;
}

/** What computes exact products on the processor, until it is closed. */
export interface ExactProcessor {
  readonly product: (a: Matrix, b: Matrix) => ExactProduct | Promise<ExactProduct>;
  close(): Promise<void>;
}

/** A run that others may judge the cases of, and where what they say is gathered. */
export interface Judging extends Pick<JudgeOptions, 'thresholds' | 'stop'> {
  readonly opened: OpenMachine;
  readonly baselines: Baselines;
  /** Sentences of their oracles. */
  readonly said: string[];
  /** What they say of the kernels' versions. */
  readonly versions: Versions[];
}

/** What came of it. */
export interface Judged extends Omit<GateOutcome, 'open'> {
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
 * Opens what the cases need, runs and judges them, and closes it.
 * @throws ParanoiaError `no-adapter`, `device-refused`, `precision-unserved`, or what the device reports as it is opened.
 */
export async function judge(options: JudgeOptions): Promise<Judged> {
  const { asked, sample, thresholds, shard, waivers, onStart, stop, enough } = options;
  const opened = await options.open(kernelsOf([...asked, ...sample]));
  let spending: Spending | undefined;
  const judges = judgesOn(opened, {
    ...options,
    ends: () => stop?.() === true || spending?.isOver() === true,
  });
  try {
    const { machine } = opened;
    const plan = await campaignOn(opened, options);
    const { about, cases: campaign, baselines } = plan;
    const versionsSaid = async (): Promise<Versions> =>
      joinedVersions([...judges.versions, await versionsAtLast(opened)]);
    const kept = await options.keeper?.open({
      ...{ planned: plan, machine, said: judges.said, versions: versionsSaid, stop },
    });
    const part = partOf(plan, shard, kept);
    const planned = part.cases;
    const notes = [...(options.notes ?? []), ...plan.notes, ...tuned(machine)];
    onStart?.(machine, planned);
    await opened.start(kernelsOf(planned));
    const probe = isDevice(machine) ? { probe: await probed(machine) } : {};
    const elsewhere = options.elsewhere?.({
      ...{ opened, baselines, thresholds, stop },
      ...{ said: judges.said, versions: judges.versions },
    });
    spending = spendingOf(options.budget, elsewhere?.processes);
    const { open: _, ...found } = await runGate(planned, {
      ...{ ...judges.options, thresholds, baselines, whole: about.whole && shard === undefined },
      ...{ onBegin: options.onBegin, onCase: options.onCase, replay: options.replay, stop, waivers, enough },
      ...{ spending, budget: options.budget, shrink: options.shrink },
      ...{ ...elsewhere, keeping: kept?.judging ?? telling(options.known) },
    });
    notes.push(...aboutOracle(judges.said));
    const said = await versionsSaid();
    const versions = kernelsOf(planned).flatMap((kernel) => {
      const found = lookUp(said, kernel);
      return found === undefined ? [] : [[kernel, found]];
    });
    const { askedAgain, inspectExternal } = await load(
      'inspects kernels',
      () => import('./inspect-external.ts'),
    );
    const { made, ended } = found.summary.interrupted
      ? { made: [], ended: [] }
      : await inspectExternal(
          askedAgain(part.inspects, campaign, found.cases, enough?.wrong),
          opened,
          { ...options, spending },
          kept,
        );
    const { conclude, shortOfTime } = await load('concludes a run', () => import('./conclude.ts'));
    const lacks = [
      ...shortOfTime(found.summary, {
        ...{ least: options.least, isOver: spending.isOver(), isLate: options.isLate?.() },
        unmet: neededOf(planned, found.leftOut),
        isCutShort: made.length > 0 && (stop?.() === true || spending.isOver()),
      }),
      ...(found.broken === undefined ? [] : [found.broken.message]),
      ...[enough?.sentence() ?? []].flat(),
      ...(about.lacks ?? []),
      ...(options.thin ?? []),
      ...ended,
    ];
    const concluded = conclude(found, made, lacks, opened.catalogue);
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

/** Those of planned cases that were left out and that a pass needs. */
function neededOf(planned: readonly PlannedCase[], leftOut: readonly string[] = []): PlannedCase[] {
  const out = new Set(leftOut);
  return planned.filter((value) => value.needed === true && out.has(formatCase(value)));
}

const thisThread: ExactProcessor = { product: exactProduct, close: async () => {} };

/** What judges on a machine: its kernels, another device after a loss, and exact products, with what was said of these. */
export function judgesOn(
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
  const evaluator = new Evaluator(exact, { items: opened.catalogue, timing, wary, life, ends });
  return {
    options: { open: opened.machine, reopen, kernelOf: opened.kernelOf, evaluator },
    said,
    /** What other processes that judge said of the kernels' versions. */
    versions: [] as Versions[],
    async close() {
      await opened.close();
      await processor.close();
    },
  };
}

/** What was judged is not lost where a kernel says no more of itself. */
const versionsAtLast = (opened: OpenMachine): Promise<Versions> => opened.versions().catch(() => ({}));

/** What an oracle said, in one sentence and a number. */
export function aboutOracle([first, ...more]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [more.length === 0 ? first : `${first} The same holds for ${more.length} more.`];
}

/** What decides which leaf kernels run and is not the same for everybody: a tuning in the user's cache. */
export function tuned(machine: Machine): string[] {
  if (!isDevice(machine)) return [];
  const { tuning, tuningNote } = machine;
  return tuningSentences({ tuningNote, tuning: tuning?.cached === true ? tuning : undefined });
}
