import { loadPart } from '../base/part.ts';
import type { KernelCatalog } from '../kernels/kernel-catalog.ts';
import type { NearbySizes } from '../problem/draws.ts';
import type { Baselines } from './baselines.ts';
import { clockOf, isCounted, secondsIn } from './budget.ts';
import type { KeptCampaign, PlannedCampaign, PlannedInspection } from './keeper.ts';
import type { MachineOptions, OpenMachine } from './open-machine.ts';
import type { PlannedCase } from './planned-case.ts';
import type { GateOptions } from './run-gate.ts';
import { removeRepeats, selectServedCases } from './select-served-cases.ts';
import { casesOfShard, describeCampaign, type Shard, type ShardedCases } from './shard.ts';
import { Spending } from './spending.ts';

/** Options that select the cases to judge, and the knowledge about them. */
export interface CampaignOptions
  extends Pick<MachineOptions, 'catalog'>,
    Pick<GateOptions, 'thresholds' | 'stop' | 'budget' | 'clock'> {
  /** Cases that the user requested. A precision that the device cannot serve is an error. */
  readonly asked: readonly PlannedCase[];
  /** Additional cases, run where the device serves their precision. */
  readonly sample: readonly PlannedCase[];
  /** Returns cases of an external kernel around sizes where its bits show a change of code path. @defaultValue none */
  readonly beside?: (kernel: string, around: NearbySizes) => readonly PlannedCase[];
  /** True if these are all cases that the config requests. */
  readonly whole: boolean;
  /** A digest of the visible sources that decide what kernels compute. @defaultValue not computed */
  readonly sources?: string | undefined;
  /** True if the cases are in the order of the run, and those that a pass needs are marked. @defaultValue false */
  readonly ordered?: boolean;
  /** The baselines of a machine, by its id. */
  readonly baselines: (id: string) => Promise<Baselines> | Baselines;
  /** True if external kernels are inspected too, and fail where outputs disprove their claims. @defaultValue false */
  readonly inspect?: boolean;
}

/**
 * Plans the campaign of a machine: the requested cases that the machine serves, and the cases drawn for its kernels.
 * @throws ParanoiaError `precision-unserved` for a requested precision
 */
export async function campaignOn(opened: OpenMachine, options: CampaignOptions): Promise<PlannedCampaign> {
  const { asked, sample, catalog, thresholds, sources, budget, ordered = false } = options;
  const { machine } = opened;
  const { cases: served, notes: unserved } = await selectServedCases(machine, { catalog, asked, sample });
  const { found: beside, notes: onPaths } = await casesBesidePaths(opened, options);
  const planned = removeRepeats([...beside, ...served]);
  const inOrder = ordered || budget === undefined ? planned : await inRunOrder(planned, catalog);
  const chosen = isCounted(budget)
    ? (await loadPart('chooses cases', () => import('./chosen-cases.ts'))).chooseCases(inOrder, budget.cases)
    : undefined;
  const { cases, lacks } = chosen ?? { cases: inOrder, lacks: [] };
  // Other devices may serve what this one cannot, so its waivers are not unused.
  // Nor can an unused waiver be told where other cases are drawn tomorrow.
  const isDrawn = cases.some(({ drawn }) => drawn === true);
  const whole = options.whole && unserved.length === 0 && !isDrawn && cases.length === planned.length;
  return {
    about: await describeCampaign(cases, { thresholds, whole, sources, lacks }),
    cases,
    inspected: options.inspect === true ? inspectedOf(cases, catalog) : [],
    baselines: await options.baselines(machine.fingerprint.id),
    notes: [...unserved, ...onPaths, ...(chosen === undefined ? [] : [chosen.note])],
  };
}

/** Orders cases: those of our kernels as planned, since they share exact products, then those of others by the faults that they show. */
export async function inRunOrder(
  planned: readonly PlannedCase[],
  catalog: KernelCatalog,
): Promise<PlannedCase[]> {
  const { orderPlanned, markCore } = await loadPart('orders cases', () => import('./core.ts'));
  const isOwn = ({ kernel }: PlannedCase) => catalog.external(kernel) === undefined;
  const others = planned.filter((value) => !isOwn(value));
  return [...markCore(planned.filter(isOwn), catalog), ...orderPlanned(others, catalog)];
}

function inspectedOf(cases: readonly PlannedCase[], catalog: KernelCatalog): PlannedInspection[] {
  const first = new Map([...cases].reverse().map((value) => [value.kernel, value.problem.precision]));
  return kernelsOf(cases)
    .filter((kernel) => catalog.external(kernel) !== undefined)
    .map((kernel) => ({ kernel, precision: first.get(kernel) as string }));
}

/** The part of a campaign for one run. */
interface Part extends ShardedCases<PlannedCase>, Pick<KeptCampaign, 'inspects'> {}

/** Selects the part of a campaign for one run: that of its keeper, else its shard, else all. */
export function selectPart(
  { cases, inspected }: PlannedCampaign,
  shard: Shard | undefined,
  kept?: KeptCampaign,
): Part {
  if (kept !== undefined) {
    const { places, inspects } = kept;
    return { cases: places.map((place) => cases[place]), places: [...places], inspects };
  }
  const kernels = inspected.map(({ kernel }) => kernel);
  if (shard === undefined) return { cases: [...cases], places: [...cases.keys()], inspects: kernels };
  const { index, of } = shard;
  return { ...casesOfShard(cases, shard), inspects: kernels.filter((_, at) => at % of === index - 1) };
}

/** Share of a budget for the search of a kernel's code paths. */
const PATHS = 0.2;

/** Returns cases at the ends of the code paths of external kernels, and a sentence on each kernel. */
async function casesBesidePaths(
  opened: OpenMachine,
  { asked, beside, catalog, stop, budget, clock: usual }: CampaignOptions,
) {
  const [found, notes]: [PlannedCase[], string[]] = [[], []];
  const external = kernelsOf(asked).filter((name) => catalog.external(name) !== undefined);
  if (beside === undefined || external.length === 0) return { found, notes };
  await opened.start(external);
  const { describePaths, knownPaths } = await loadPart(
    'finds the paths of a kernel',
    () => import('../inspect/code-paths.ts'),
  );
  for (const name of external) {
    const { precision } = (asked.find(({ kernel }) => kernel === name) as PlannedCase).problem;
    const kernel = await opened.kernelOf({ kernel: name, precision }, opened.machine);
    const clock = clockOf(budget, usual);
    const end =
      clock() + 1000 * PATHS * (budget instanceof Spending ? Number.POSITIVE_INFINITY : secondsIn(budget));
    const around = await knownPaths(kernel, { clock, stop: () => stop?.() === true || clock() > end });
    // The first product of a judged kernel is to be one of its cases, not one with which every gate begins.
    await kernel.session.renew?.();
    if (around === undefined) continue;
    found.push(...beside(name, around));
    notes.push(describePaths(name, around));
  }
  return { found, notes };
}

/** Returns the kernels of cases, each once. */
export const kernelsOf = (cases: readonly PlannedCase[]) => [...new Set(cases.map(({ kernel }) => kernel))];
