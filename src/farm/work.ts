import { sha256 } from '../base/canonical.ts';
import type { Thresholds } from '../evidence/checks/check.ts';
import type { Case } from '../problem/case.ts';
import type { RunLimit } from '../run/budget.ts';
import { countRunsIn, type RoundPlace, type RoundsPlan } from '../run/fuzz-round.ts';
import type { PlannedInspection } from '../run/keeper.ts';
import { countCaseProducts } from '../run/spending.ts';

/** A case in terms that another process understands. */
export interface WorkCase {
  readonly case: string;
  /** Texts of the cases that are computed before it. */
  readonly after?: string[] | undefined;
  readonly series?: boolean | undefined;
  readonly detailed?: boolean | undefined;
  readonly needed?: boolean | undefined;
}

/** One unit of work: cases of a campaign by their places in it, the inspection of a kernel, or a round of drawn cases. */
export type WorkUnit =
  | { readonly places: readonly number[]; readonly inspect?: undefined; readonly fuzz?: undefined }
  | { readonly inspect: PlannedInspection; readonly places?: undefined; readonly fuzz?: undefined }
  | { readonly fuzz: RoundPlace; readonly places?: undefined; readonly inspect?: undefined };

export type Batch = WorkUnit & {
  /** The SHA-256 of all that decides its results, except the machine. */
  readonly id: string;
  readonly seconds: number;
};

/** Facts that all batches of a campaign share. */
export interface WorkFacts {
  /** The digest of version, config and kernels. */
  readonly sources: string;
  readonly thresholds: Thresholds;
  /** The limit of the cases of each kernel: seconds in each batch, or a count in the campaign; absent if there is no limit. */
  readonly budget?: RunLimit | undefined;
  readonly seed: number;
  /** The plan of the draws; absent if nothing is drawn. */
  readonly fuzz?: RoundsPlan | undefined;
}

/** The version of results files, raised when the same work would give other files. */
const FORMAT = 1;

/** Returns the id of a batch. @param cases those of the campaign, by place */
export function batchId(about: WorkFacts, cases: readonly WorkCase[], work: WorkUnit): Promise<string> {
  const { sources, thresholds, budget } = about;
  const { sigmas, drift } = thresholds;
  return sha256(JSON.stringify([FORMAT, sources, sigmas, drift, budget ?? null, whatOf(work, about, cases)]));
}

function whatOf(work: WorkUnit, { seed, fuzz }: WorkFacts, cases: readonly WorkCase[]): unknown[] {
  if (work.inspect !== undefined) return [work.inspect.kernel, work.inspect.precision];
  if (work.fuzz !== undefined && fuzz !== undefined) {
    const { target, round } = work.fuzz;
    return ['fuzz', seed, fuzz.maxSize, fuzz.inputs, fuzz.targets[target], round, countRunsIn(fuzz, round)];
  }
  return (work.places ?? []).map((at) => {
    const { case: text, after = [], series = false, detailed = false, needed = false } = cases[at];
    return [text, after, series, detailed, needed];
  });
}

/** Returns the key of a batch's results on a machine, under which they are stored. */
export const batchKey = (batch: string, machine: string): Promise<string> =>
  sha256(JSON.stringify([batch, machine]));

/**
 * Halves a batch that crashes workers, to find the case that does; returns none if it cannot be halved. The halves follow from
 * the batch, so that every worker makes the same ones.
 */
export async function halvesOf(batch: Batch, about: WorkFacts, cases: readonly WorkCase[]): Promise<Batch[]> {
  if (batch.places === undefined || batch.places.length < 2) return [];
  const middle = Math.ceil(batch.places.length / 2);
  const halves = [batch.places.slice(0, middle), batch.places.slice(middle)];
  return Promise.all(
    halves.map(async (places) => ({
      ...{ id: await batchId(about, cases, { places }), places },
      seconds: (batch.seconds * places.length) / batch.places.length,
    })),
  );
}

/**
 * Names a half of a batch in a queue: the id of the whole batch, then the path to the half. A campaign of a million cases has two
 * million halves, so a half must be found without a search.
 */
export const halfName = (name: string, half: 0 | 1): string =>
  `${name}${name.includes('-') ? '' : '-'}${half}`;

/** Parses a batch's name in a queue into the id of the whole batch and the path to the half. */
export function wayOf(name: string): readonly [id: string, halves: readonly number[]] {
  const [id, way = ''] = name.split('-');
  return [id, [...way].map(Number)];
}

/** The speed of a kernel: seconds of overhead a case, and multiplications a second. */
export interface KernelSpeed {
  readonly overhead: number;
  readonly rate: number;
}

/** Cases that one worker judges together, by their places, and their expected seconds. */
interface PlannedBatch {
  readonly places: number[];
  readonly seconds: number;
}

/**
 * The seconds of a batch. In a large campaign a batch outweighs its transfer, and its loss is small. In a small campaign batches
 * are shorter, so that every worker gets some.
 */
const SECONDS = { most: 40, least: 0.5, parts: 64 } as const;
/** The most cases of a batch: their results travel together. */
const MOST_CASES = 512;

const expectedSecondsOf = (value: Case, { overhead, rate }: KernelSpeed): number =>
  overhead + countCaseProducts(value) / rate;

/**
 * Cuts a campaign into batches. Each has cases of one kernel in their order, so that its worker opens few kernels.
 * @param speedOf returns the known speed of a kernel
 */
export function cutIntoBatches(
  cases: readonly Case[],
  speedOf: (kernel: string) => KernelSpeed,
): PlannedBatch[] {
  const costs = cases.map((value) => expectedSecondsOf(value, speedOf(value.kernel)));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const most = Math.min(SECONDS.most, Math.max(SECONDS.least, total / SECONDS.parts));
  const batches: PlannedBatch[] = [];
  for (const places of placesByKernel(cases)) {
    let open: Open | undefined;
    for (const at of places) {
      if (open === undefined || open.seconds + costs[at] > most || open.places.length === MOST_CASES) {
        open = { places: [], seconds: 0 };
        batches.push(open);
      }
      open.places.push(at);
      open.seconds += costs[at];
    }
  }
  return batches;
}

/** A batch that still takes cases. */
interface Open {
  readonly places: number[];
  seconds: number;
}

/** The places of the cases of each kernel and precision, in order of appearance. */
function placesByKernel(cases: readonly Case[]): Iterable<number[]> {
  const all = new Map<string, number[]>();
  for (const [at, { kernel, problem }] of cases.entries()) {
    const key = `${kernel} ${problem.precision}`;
    const places = all.get(key);
    if (places === undefined) all.set(key, [at]);
    else places.push(at);
  }
  return all.values();
}

/**
 * Deals batches to shards of about equal work: the longest first, each to the shard with the least work.
 * @returns the shard of each batch, from 1
 */
export function dealToShards(batches: readonly { readonly seconds: number }[], shards: number): number[] {
  const loads = Array.from({ length: shards }, () => 0);
  const dealtTo = batches.map(() => 0);
  const longest = [...batches.keys()].sort((x, y) => batches[y].seconds - batches[x].seconds || x - y);
  for (const at of longest) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] += batches[at].seconds;
    dealtTo[at] = least + 1;
  }
  return dealtTo;
}
