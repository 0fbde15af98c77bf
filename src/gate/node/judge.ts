import type { PrecisionName } from '../../formats/precision.ts';
import { computationIn } from '../../gpu/computation.ts';
import type { Machine, OpenDevice } from '../../gpu/device.ts';
import { oracleOn } from '../../gpu/exact/oracle.ts';
import type { ProbeAnswer } from '../../gpu/probe/answer.ts';
import { probeDevice } from '../../gpu/probe/probe.ts';
import { tuningSentences } from '../../gpu/tuning/tuning.ts';
import { contradictions, promisesOf } from '../../inspect/contradictions.ts';
import { inspectKernel } from '../../inspect/inspect-kernel.ts';
import type { Inspection } from '../../inspect/inspection.ts';
import type { Catalogue } from '../../kernel/catalogue.ts';
import { Problem } from '../../problems.ts';
import { openExactPool } from '../../reference/node/pool.ts';
import type { Baselines } from '../baselines.ts';
import type { PlannedCase } from '../campaign.ts';
import { Laboratory } from '../evidence.ts';
import { overall } from '../overall.ts';
import type { Results } from '../results.ts';
import { type GateOptions, type GateOutcome, runGate } from '../run-gate.ts';
import { casesOfShard, describeCampaign, type Shard } from '../shard.ts';
import type { Timing } from '../timing.ts';
import { openWorkshop, type Versions, type Workshop, type WorkshopOptions } from './workshop.ts';

/** What is judged, and how. */
export interface JudgeOptions
  extends WorkshopOptions,
    Pick<GateOptions, 'thresholds' | 'onCase' | 'replay' | 'stop' | 'waivers'> {
  /** Cases that were asked for: a precision that the device cannot serve is a problem. */
  readonly asked: readonly PlannedCase[];
  /** Cases that are run as well where the device serves their precision. */
  readonly sample: readonly PlannedCase[];
  /** Whether these are all cases that the config asks for. */
  readonly whole: boolean;
  /** Sentences on what was left out of them. */
  readonly notes?: readonly string[];
  /** The part of them to run. Default: all. */
  readonly shard?: Shard | undefined;
  /** The baselines of a machine, by its id. */
  readonly baselines: (id: string) => Promise<Baselines> | Baselines;
  /** Whether kernels that are not ours are inspected, too, and fail where they are not what they claim. Default: no. */
  readonly inspect?: boolean;
  /** Told where the time goes. */
  readonly timing?: Timing | undefined;
  /** Called when the machine is open: what will be run, and what not. */
  readonly onStart?: (machine: Machine, planned: readonly PlannedCase[], notes: readonly string[]) => void;
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
 * @throws Problem `no-adapter`, `device-refused`, `precision-unserved`, or what the device reports as it is opened.
 */
export async function judge(options: JudgeOptions): Promise<Judged> {
  const { asked, sample, catalogue, thresholds, shard, waivers } = options;
  const { onStart, onCase, replay, stop } = options;
  const workshop = await openWorkshop(kernelsOf([...asked, ...sample]), options);
  const pool = openExactPool();
  try {
    const { machine } = workshop;
    let current: Machine = machine;
    const reopen = async () => {
      current = await workshop.reopen();
      return current;
    };
    const said: string[] = [];
    const exact = oracleOn({
      device: () => (isDevice(current) ? current : undefined),
      cpu: pool.product,
      say: (sentence) => said.push(sentence),
    });
    await requireServed(machine, asked, catalogue);
    const { cases, notes: unserved } = await served(machine, sample, catalogue);
    const campaign = [...asked, ...cases];
    // What a device cannot serve, others may: waivers of it are not unused here.
    const whole = options.whole && cases.length === sample.length;
    const part = shard === undefined ? undefined : casesOfShard(campaign, shard);
    const planned = part?.cases ?? campaign;
    const baselines = await options.baselines(machine.fingerprint.id);
    const notes = [...(options.notes ?? []), ...unserved, ...tuned(machine), ...withoutDrift(baselines)];
    onStart?.(machine, planned, notes);
    await workshop.start(kernelsOf(planned));
    const probe = isDevice(machine) ? { probe: await probeDevice(machine) } : {};
    const outcome = await runGate(planned, {
      ...{ open: machine, reopen, kernelOf: workshop.kernelOf },
      ...{ laboratory: new Laboratory(exact, options.timing), thresholds, baselines },
      ...{ whole: whole && shard === undefined },
      ...given({ onCase, replay, stop, waivers }),
    });
    const { open: _, ...found } = outcome;
    notes.push(...aboutOracle(said));
    const inspected = options.inspect === true && !found.summary.interrupted && (shard?.index ?? 1) === 1;
    const versions = await workshop.versions();
    const multiplying = new Set(
      found.cases.flatMap(({ kernel, exact }) => (exact === undefined ? [] : [kernel])),
    );
    const asking = planned.filter(({ kernel }) => multiplying.has(kernel));
    const inspections = inspected ? await inspectForeign(asking, workshop, options) : [];
    return {
      ...{ ...found, ...overall(found.summary, { waivers: found.waivers, inspections }) },
      ...{ ...probe, machine, baselines, campaign: describeCampaign(campaign, thresholds, whole) },
      ...(shard === undefined ? {} : { shard: { ...shard, places: part?.places ?? [] } }),
      ...(Object.keys(versions).length > 0 ? { versions } : {}),
      ...(inspections.length > 0 ? { inspections } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
  } finally {
    await workshop.close();
    await pool.close();
  }
}

/** What an oracle said, in one sentence and a number. */
function aboutOracle([first, ...more]: readonly string[]): string[] {
  if (first === undefined) return [];
  return [more.length === 0 ? first : `${first} The same holds for ${more.length} more.`];
}

/** Whether errors have grown cannot be told where none were recorded. */
function withoutDrift({ cases, adapter }: Baselines): string[] {
  if (Object.keys(cases).length > 0) return [];
  return [`Drift is not judged: there are no baselines of ${adapter}; --update records them.`];
}

/** What decides which leaf kernels run and is not the same for everybody: a tuning in the user's cache. */
function tuned(machine: Machine): string[] {
  if (!isDevice(machine)) return [];
  const { tuning, tuningNote } = machine;
  return tuningSentences({ tuningNote, tuning: tuning?.cached === true ? tuning : undefined });
}

const kernelsOf = (cases: readonly PlannedCase[]) => [...new Set(cases.map(({ kernel }) => kernel))];

const isDevice = (machine: Machine): machine is OpenDevice => 'device' in machine;

/** Precisions of built-in kernels among the cases. */
function precisionsOf(cases: readonly PlannedCase[], catalogue: Catalogue): PrecisionName[] {
  const own = cases.filter(({ kernel }) => catalogue.foreign(kernel) === undefined);
  return [...new Set(own.map(({ precision }) => precision ?? 'f32'))];
}

async function requireServed(machine: Machine, cases: readonly PlannedCase[], catalogue: Catalogue) {
  if (!isDevice(machine)) return;
  for (const precision of precisionsOf(cases, catalogue)) await computationIn(machine, precision);
}

/** The cases whose precision the device serves; notes say which it does not. */
async function served(machine: Machine, cases: readonly PlannedCase[], catalogue: Catalogue) {
  const refused = new Set<PrecisionName>();
  const notes: string[] = [];
  for (const precision of precisionsOf(cases, catalogue)) {
    try {
      await requireServed(
        machine,
        cases.filter((value) => (value.precision ?? 'f32') === precision),
        catalogue,
      );
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'precision-unserved') throw error;
      refused.add(precision);
      notes.push(error.message);
    }
  }
  return { cases: cases.filter(({ precision = 'f32' }) => !refused.has(precision)), notes };
}

/** The manner of kernels that have but one. */
const ONE_MANNER = { levels: 0, border: 'pad', edge: 'guard' } as const;

/** What the outputs of the kernels that are not ours show, and what of their claims that disproves; one that has no outputs shows nothing. */
async function inspectForeign(
  cases: readonly PlannedCase[],
  { machine, kernelOf }: Workshop,
  { catalogue, stop }: JudgeOptions,
): Promise<Inspection[]> {
  const first = new Map(cases.map((value) => [value.kernel, value]));
  const foreign = [...first.values()].filter(({ kernel }) => catalogue.foreign(kernel) !== undefined);
  const made: Inspection[] = [];
  for (const value of foreign) {
    const kernel = await kernelOf(value, machine);
    const inspection = await inspectKernel(kernel, { quick: true, stop });
    made.push({
      ...inspection,
      contradictions: contradictions(inspection, promisesOf(kernel, ONE_MANNER)),
    });
  }
  return made;
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
const given = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
