import { Evaluator } from '../evidence/evaluate.ts';
import type { Timing } from '../evidence/timing.ts';
import { type ExactProduct, exactProduct } from '../exact/exact.ts';
import type { Machine } from '../gpu/device.ts';
import { oracleOn } from '../gpu/exact/oracle.ts';
import type { ProbeAnswer } from '../gpu/probe/answer.ts';
import { tuningSentences } from '../gpu/tuning/tuning.ts';
import { describePaths, knownPaths } from '../inspect/code-paths.ts';
import { contradictions, promisesOf } from '../inspect/contradictions.ts';
import { inspectKernel } from '../inspect/inspect-kernel.ts';
import type { Finding, Inspection } from '../inspect/inspection.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import type { Matrix } from '../matrix/dense.ts';
import type { Around } from '../problem/draws.ts';
import type { Baselines } from './baselines.ts';
import { describeLeftOut } from './left-out.ts';
import { uninspected } from './messages.ts';
import type { OpenMachine, Versions } from './open-machine.ts';
import { overall } from './overall.ts';
import type { PlannedCase } from './planned-case.ts';
import { probed } from './probed.ts';
import type { Results } from './results.ts';
import { type GateOptions, type GateOutcome, runGate } from './run-gate.ts';
import { distinct, isDevice, servedBy } from './served.ts';
import { casesOfShard, describeCampaign, emptyVerdict, type Shard } from './shard.ts';
import { withholdPraise } from './withhold.ts';

/** What is judged, and how. */
export interface JudgeOptions
  extends Pick<GateOptions, 'thresholds' | 'onCase' | 'replay' | 'stop' | 'waivers' | 'budget' | 'shrink'> {
  readonly catalogue: Catalogue;
  /** Opens what kernels of these names need. */
  readonly open: (kernels: readonly string[]) => Promise<OpenMachine>;
  /** What computes exact products beside a GPU. @defaultValue this thread */
  readonly processor?: ExactProcessor | undefined;
  /** Cases that were asked for: a precision that the device cannot serve is a problem. */
  readonly asked: readonly PlannedCase[];
  /** Cases that are run as well where the device serves their precision. */
  readonly sample: readonly PlannedCase[];
  /** Cases of a kernel that is not ours beside sizes where its bits say that it takes another path. Default: none. */
  readonly beside?: (kernel: string, around: Around) => readonly PlannedCase[];
  /** Whether these are all cases that the config asks for. */
  readonly whole: boolean;
  /** Sentences on kernels that take so few shapes that passing them does not make a pass. */
  readonly thin?: readonly string[];
  /** Sentences on what was left out of them. */
  readonly notes?: readonly string[];
  /** The part of them to run. Default: all. */
  readonly shard?: Shard | undefined;
  /** The baselines of a machine, by its id. */
  readonly baselines: (id: string) => Promise<Baselines> | Baselines;
  /** Whether kernels that are not ours are inspected, too, and fail where they are not what they claim. Default: no. */
  readonly inspect?: boolean;
  /** Whether kernels are not trusted: what is asked around their products is then drawn. @defaultValue false */
  readonly wary?: boolean;
  /** The fewest cases that a pass is of, where not all were run. @defaultValue any number */
  readonly least?: number;
  /** Told where the time goes. */
  readonly timing?: Timing | undefined;
  /** Who judges the cases instead of this process, if anybody. */
  readonly elsewhere?: ((judging: Judging) => Pick<GateOptions, 'judgeCases' | 'processes'>) | undefined;
  /** Called when the machine is open: what will be run. */
  readonly onStart?: (machine: Machine, planned: readonly PlannedCase[]) => void;
  /** Told of each kernel that is inspected after the cases, then of each question that it has answered. */
  readonly onInspect?: ((kernel: string, question?: string) => void) | undefined;
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
  const { asked, sample, catalogue, thresholds, shard, waivers, onStart, stop } = options;
  const opened = await options.open(kernelsOf([...asked, ...sample]));
  const judges = judgesOn(opened, options);
  try {
    const { machine } = opened;
    const { cases, notes: unserved } = await servedBy(machine, { catalogue, asked, sample });
    const { found: beside, notes: onPaths } = await casesBesidePaths(opened, options);
    const campaign = distinct([...beside, ...cases]);
    // What a device cannot serve, others may: waivers of it are not unused here.
    // Nor can it be told where others are drawn tomorrow.
    const isDrawn = campaign.some(({ drawn }) => drawn === true);
    const whole = options.whole && unserved.length === 0 && !isDrawn;
    const part = shard === undefined ? undefined : casesOfShard(campaign, shard);
    const planned = part?.cases ?? campaign;
    const baselines = await options.baselines(machine.fingerprint.id);
    const notes = [...(options.notes ?? []), ...unserved, ...onPaths, ...tuned(machine)];
    onStart?.(machine, planned);
    await opened.start(kernelsOf(planned));
    const probe = isDevice(machine) ? { probe: await probed(machine) } : {};
    const { open: _, ...found } = await runGate(planned, {
      ...{ ...judges.options, thresholds, baselines, whole: whole && shard === undefined },
      ...{ onCase: options.onCase, replay: options.replay, stop, waivers },
      ...{ budget: options.budget, shrink: options.shrink },
      ...options.elsewhere?.({
        opened,
        baselines,
        thresholds,
        stop,
        said: judges.said,
        versions: judges.versions,
      }),
    });
    notes.push(...aboutOracle(judges.said));
    const inspected = options.inspect === true && !found.summary.interrupted && (shard?.index ?? 1) === 1;
    const said: Versions = Object.assign({}, ...judges.versions, await versionsAtLast(opened));
    const versions = kernelsOf(planned).flatMap((kernel) => (kernel in said ? [[kernel, said[kernel]]] : []));
    const multiplying = new Set(
      found.cases.flatMap(({ kernel, exact }) => (exact === undefined ? [] : [kernel])),
    );
    const asking = planned.filter(({ kernel }) => multiplying.has(kernel));
    const { made, ended } = inspected
      ? await inspectExternal(asking, opened, options)
      : { made: [], ended: [] };
    const inspections = withholdPraise(made, found.cases);
    const leftOut = describeLeftOut(found.leftOut ?? [], found.cases);
    const lacks = [
      ...(options.thin ?? []),
      ...(found.broken === undefined ? [] : [found.broken.message]),
      ...ended,
      ...tooFew(found.summary, options.least),
      ...(inspections.length > 0 && stop?.() === true ? [UNINSPECTED] : []),
    ];
    const missing = lacks.length === 0 ? undefined : lacks.join(' ');
    return {
      ...{ ...found, ...overall(found.summary, { waivers: found.waivers, inspections, missing, leftOut }) },
      ...{ ...probe, machine, baselines, campaign: describeCampaign(campaign, thresholds, whole) },
      ...(shard === undefined ? {} : { shard: { ...shard, places: part?.places ?? [] } }),
      ...(shard !== undefined && planned.length === 0 ? emptyVerdict(shard, campaign.length) : {}),
      ...(versions.length > 0 ? { versions: Object.fromEntries(versions) } : {}),
      ...(inspections.length > 0 ? { inspections } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
  } finally {
    await judges.close();
  }
}

/** A sentence on a run that judged too few of its cases to say anything. */
const tooFew = ({ run, planned, fail }: Results['summary'], least = 0): string[] =>
  fail > 0 || run >= Math.min(least, planned)
    ? []
    : [
        `${run} of ${planned} cases were judged, and a pass is of ${least} at least: give it more time with --budget.`,
      ];

const thisThread: ExactProcessor = { product: exactProduct, close: async () => {} };

/** What judges on a machine: its kernels, another device after a loss, and exact products, with what was said of these. */
export function judgesOn(
  opened: OpenMachine,
  { processor = thisThread, timing, wary = false }: Pick<JudgeOptions, 'processor' | 'timing' | 'wary'>,
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
  const evaluator = new Evaluator(exact, { timing, wary });
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

/** Cases at the ends of paths of kernels that are not ours, and a sentence on each of them. */
async function casesBesidePaths(opened: OpenMachine, { asked, beside, catalogue, stop }: JudgeOptions) {
  const [found, notes]: [PlannedCase[], string[]] = [[], []];
  const external = kernelsOf(asked).filter((name) => catalogue.external(name) !== undefined);
  if (beside === undefined || external.length === 0) return { found, notes };
  await opened.start(external);
  for (const name of external) {
    const { precision } = (asked.find(({ kernel }) => kernel === name) as PlannedCase).problem;
    const kernel = await opened.kernelOf({ kernel: name, precision }, opened.machine);
    const around = await knownPaths(kernel, stop);
    // The first product of what is judged is to be one of its cases, not one that every gate begins with.
    await kernel.session.renew?.();
    if (around === undefined) continue;
    found.push(...beside(name, around));
    notes.push(describePaths(name, around));
  }
  return { found, notes };
}

/** Of a run that ended in the middle of inspecting. */
const UNINSPECTED =
  'Interrupted while kernels were inspected: what their outputs would disprove is not known.';

/** What an oracle said, in one sentence and a number. */
function aboutOracle([first, ...more]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [more.length === 0 ? first : `${first} The same holds for ${more.length} more.`];
}

/** What decides which leaf kernels run and is not the same for everybody: a tuning in the user's cache. */
function tuned(machine: Machine): string[] {
  if (!isDevice(machine)) return [];
  const { tuning, tuningNote } = machine;
  return tuningSentences({ tuningNote, tuning: tuning?.cached === true ? tuning : undefined });
}

const kernelsOf = (cases: readonly PlannedCase[]) => [...new Set(cases.map(({ kernel }) => kernel))];

/** The method of kernels that have but one. */
const ONE_METHOD = { levels: 0, fringe: 'pad', tail: 'mask' } as const;

/** What the outputs of the kernels that are not ours show, and what of their claims that disproves; one that has no outputs shows nothing. Beside them a sentence on each that cannot be inspected to its end. */
async function inspectExternal(
  cases: readonly PlannedCase[],
  { machine, kernelOf }: OpenMachine,
  { catalogue, stop, onInspect }: JudgeOptions,
): Promise<{ made: Inspection[]; ended: string[] }> {
  const first = new Map(cases.map((value) => [value.kernel, value]));
  const external = [...first.values()].filter(({ kernel }) => catalogue.external(kernel) !== undefined);
  const [made, ended]: [Inspection[], string[]] = [[], []];
  for (const value of external) {
    const kernel = await kernelOf(value, machine);
    onInspect?.(kernel.name);
    const onFinding = ({ question }: Finding) => onInspect?.(kernel.name, question);
    try {
      const inspection = await inspectKernel(kernel, { quick: true, stop, onFinding });
      const disproved = contradictions(inspection, promisesOf(kernel, ONE_METHOD));
      made.push({ ...inspection, contradictions: disproved });
    } catch (error) {
      ended.push(uninspected({ kernel: kernel.name, why: String((error as Error).message) }).message);
    }
  }
  return { made, ended };
}
