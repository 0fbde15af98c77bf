import type { Case } from '../problem/case.ts';
import { countCaseProducts } from '../run/spending.ts';

/** The speed of a kernel: seconds of overhead a case, and multiplications a second. */
export interface KernelSpeed {
  readonly overhead: number;
  readonly rate: number;
}

/** Cases that one worker judges together, by their places, and their expected seconds. */
export interface PlannedBatch {
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

/** Returns the expected seconds of a case. */
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
