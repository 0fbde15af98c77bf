import { sha256 } from '../base/sha256.ts';
import type { Thresholds } from '../evidence/checks/check.ts';
import { type RoundPlace, type RoundsPlan, runsIn } from '../run/fuzz-round.ts';
import type { Inspected } from '../run/keeping.ts';
import type { Limit } from '../run/limit.ts';

/** A case in terms that another process understands. */
export interface WorkCase {
  /** Its text. */
  readonly case: string;
  /** Those that are computed before it. */
  readonly after?: string[] | undefined;
  readonly series?: boolean | undefined;
  readonly detailed?: boolean | undefined;
}

/**
 * What one worker does at a time: cases of a campaign, by their places in it, the inspection of a kernel, or a round of cases that are
 * drawn.
 */
export type Work =
  | { readonly places: readonly number[]; readonly inspect?: undefined; readonly fuzz?: undefined }
  | { readonly inspect: Inspected; readonly places?: undefined; readonly fuzz?: undefined }
  | { readonly fuzz: RoundPlace; readonly places?: undefined; readonly inspect?: undefined };

/** A batch of a campaign. */
export type Batch = Work & {
  /** A SHA-256 of all that decides its results, but for the machine. */
  readonly id: string;
  /** The seconds that it is expected to take. */
  readonly seconds: number;
};

/** What all batches of a campaign have in common. */
export interface WorkAbout {
  /** A digest of version, config and kernels. */
  readonly sources: string;
  readonly thresholds: Thresholds;
  /** The limit of the cases of each kernel: seconds in each batch, or a count in the campaign; absent where nothing does. */
  readonly budget?: Limit | undefined;
  readonly seed: number;
  /** What is drawn; absent where nothing is. */
  readonly fuzz?: RoundsPlan | undefined;
}

/** Changes where the same work would give other results files. */
const FORMAT = 1;

/** The id of a batch. @param cases those of the campaign, by place. */
export function batchId(about: WorkAbout, cases: readonly WorkCase[], work: Work): Promise<string> {
  const { sources, thresholds, budget } = about;
  const { sigmas, drift } = thresholds;
  return sha256(JSON.stringify([FORMAT, sources, sigmas, drift, budget ?? null, whatOf(work, about, cases)]));
}

function whatOf(work: Work, { seed, fuzz }: WorkAbout, cases: readonly WorkCase[]): unknown[] {
  if (work.inspect !== undefined) return [work.inspect.kernel, work.inspect.precision];
  if (work.fuzz !== undefined && fuzz !== undefined) {
    const { target, round } = work.fuzz;
    return ['fuzz', seed, fuzz.maxSize, fuzz.inputs, fuzz.targets[target], round, runsIn(fuzz, round)];
  }
  return (work.places ?? []).map((at) => {
    const { case: text, after = [], series = false, detailed = false } = cases[at];
    return [text, after, series, detailed];
  });
}

/** The key of the results of a batch on a machine: what they are stored under. */
export const batchKey = (batch: string, machine: string): Promise<string> =>
  sha256(JSON.stringify([batch, machine]));

/**
 * The two halves of a batch that ended workers, so that one case is found that does; none of what cannot be halved. They follow
 * from the batch, so that every worker makes the same.
 */
export async function halvesOf(batch: Batch, about: WorkAbout, cases: readonly WorkCase[]): Promise<Batch[]> {
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
 * What a queue calls a half of what it calls so: the id of a whole batch, and behind it the way to the half. Of a campaign of a million
 * cases there are two million halves, so that nobody is to look for one among all.
 */
export const halfName = (name: string, half: 0 | 1): string =>
  `${name}${name.includes('-') ? '' : '-'}${half}`;

/** The id of a whole batch and the halves that lead to what a queue calls so. */
export function wayOf(name: string): readonly [id: string, halves: readonly number[]] {
  const [id, way = ''] = name.split('-');
  return [id, [...way].map(Number)];
}
