import { part } from '../base/part.ts';
import type { Catalogue } from '../kernels/catalogue.ts';
import type { Around } from '../problem/draws.ts';
import type { Baselines } from './baselines.ts';
import type { Inspected, Kept, PlannedCampaign } from './keeping.ts';
import { clockOf, isCounted, secondsIn } from './limit.ts';
import type { MachineOptions, OpenMachine } from './open-machine.ts';
import type { PlannedCase } from './planned-case.ts';
import type { GateOptions } from './run-gate.ts';
import { distinct, servedBy } from './served.ts';
import { casesOfShard, describeCampaign, type Shard, type ShardedCases } from './shard.ts';
import { Spending } from './spending.ts';

/** What decides which cases are judged, and what is known of them. */
export interface CampaignOptions
  extends Pick<MachineOptions, 'catalogue'>,
    Pick<GateOptions, 'thresholds' | 'stop' | 'budget'> {
  /** Cases that were asked for: a precision that the device cannot serve is a problem. */
  readonly asked: readonly PlannedCase[];
  /** Cases that are run as well where the device serves their precision. */
  readonly sample: readonly PlannedCase[];
  /** Cases of a kernel that is not ours beside sizes where its bits say that it takes another path. Default: none. */
  readonly beside?: (kernel: string, around: Around) => readonly PlannedCase[];
  /** Whether these are all cases that the config asks for. */
  readonly whole: boolean;
  /** A digest of what decides what kernels compute, as far as it can be seen. @defaultValue nobody looked */
  readonly sources?: string | undefined;
  /** The fewest cases that a pass is of, where not all were run. @defaultValue any number */
  readonly least?: number;
  /** The baselines of a machine, by its id. */
  readonly baselines: (id: string) => Promise<Baselines> | Baselines;
  /** Whether kernels that are not ours are inspected, too, and fail where they are not what they claim. Default: no. */
  readonly inspect?: boolean;
}

/**
 * What is to be judged on a machine, of what was asked for: what it serves, and what is drawn for its kernels.
 * @throws ParanoiaError `precision-unserved` for one that was asked for
 */
export async function campaignOn(opened: OpenMachine, options: CampaignOptions): Promise<PlannedCampaign> {
  const { asked, sample, catalogue, thresholds, sources, budget, least } = options;
  const { machine } = opened;
  const { cases: served, notes: unserved } = await servedBy(machine, { catalogue, asked, sample });
  const { found: beside, notes: onPaths } = await casesBesidePaths(opened, options);
  const planned = distinct([...beside, ...served]);
  const choosing = () => part('chooses cases', () => import('./chosen-cases.ts'));
  const chosen = isCounted(budget)
    ? (await choosing()).chooseCases(planned, budget.cases, least, catalogue)
    : undefined;
  // A referee has drawn the order of its cases.
  const isOrdered = budget === undefined || least !== undefined;
  const { cases, lacks } = chosen ?? {
    cases: isOrdered ? planned : (await choosing()).classesFirst(planned, catalogue),
    lacks: [],
  };
  // What a device cannot serve, others may: waivers of it are not unused here.
  // Nor can it be told where others are drawn tomorrow.
  const isDrawn = cases.some(({ drawn }) => drawn === true);
  const whole = options.whole && unserved.length === 0 && !isDrawn && cases.length === planned.length;
  return {
    about: await describeCampaign(cases, { thresholds, whole, sources, lacks }),
    cases,
    inspected: options.inspect === true ? inspectedOf(cases, catalogue) : [],
    baselines: await options.baselines(machine.fingerprint.id),
    notes: [...unserved, ...onPaths, ...(chosen === undefined ? [] : [chosen.note])],
  };
}

/** The kernels of cases that are not ours. */
function inspectedOf(cases: readonly PlannedCase[], catalogue: Catalogue): Inspected[] {
  const first = new Map([...cases].reverse().map((value) => [value.kernel, value.problem.precision]));
  return kernelsOf(cases)
    .filter((kernel) => catalogue.external(kernel) !== undefined)
    .map((kernel) => ({ kernel, precision: first.get(kernel) as string }));
}

/** What of a campaign a run is to do. */
interface Part extends ShardedCases<PlannedCase>, Pick<Kept, 'inspects'> {}

/** The part of a campaign that a run is to do: what its keeper says, else its shard, else all. */
export function partOf({ cases, inspected }: PlannedCampaign, shard: Shard | undefined, kept?: Kept): Part {
  if (kept !== undefined) {
    const { places, inspects } = kept;
    return { cases: places.map((place) => cases[place]), places: [...places], inspects };
  }
  const kernels = inspected.map(({ kernel }) => kernel);
  if (shard === undefined) return { cases: [...cases], places: [...cases.keys()], inspects: kernels };
  const { index, of } = shard;
  return { ...casesOfShard(cases, shard), inspects: kernels.filter((_, at) => at % of === index - 1) };
}

/** The part of a budget in which the paths of a kernel are looked for. */
const PATHS = 0.2;

/** Cases at the ends of paths of kernels that are not ours, and a sentence on each of them. */
async function casesBesidePaths(
  opened: OpenMachine,
  { asked, beside, catalogue, stop, budget }: CampaignOptions,
) {
  const [found, notes]: [PlannedCase[], string[]] = [[], []];
  const external = kernelsOf(asked).filter((name) => catalogue.external(name) !== undefined);
  if (beside === undefined || external.length === 0) return { found, notes };
  await opened.start(external);
  const { describePaths, knownPaths } = await part(
    'finds the paths of a kernel',
    () => import('../inspect/code-paths.ts'),
  );
  for (const name of external) {
    const { precision } = (asked.find(({ kernel }) => kernel === name) as PlannedCase).problem;
    const kernel = await opened.kernelOf({ kernel: name, precision }, opened.machine);
    const clock = clockOf(budget);
    const end =
      clock() + 1000 * PATHS * (budget instanceof Spending ? Number.POSITIVE_INFINITY : secondsIn(budget));
    const around = await knownPaths(kernel, { clock, stop: () => stop?.() === true || clock() > end });
    // The first product of what is judged is to be one of its cases, not one that every gate begins with.
    await kernel.session.renew?.();
    if (around === undefined) continue;
    found.push(...beside(name, around));
    notes.push(describePaths(name, around));
  }
  return { found, notes };
}

/** The kernels of cases, each once. */
export const kernelsOf = (cases: readonly PlannedCase[]) => [...new Set(cases.map(({ kernel }) => kernel))];
