import { sha256 } from '../base/canonical.ts';
import type { Thresholds } from '../evidence/checks/check.ts';
import { countRunsIn, type RoundPlace, type RoundsPlan } from '../run/fuzz-round.ts';
import type { PlannedInspection } from '../run/keeper.ts';
import type { RunLimit } from '../run/limit.ts';

/** A case in terms that another process understands. */
export interface WorkCase {
  /** The text of the case. */
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

/** A batch of a campaign. */
export type Batch = WorkUnit & {
  /** The SHA-256 of all that decides its results, except the machine. */
  readonly id: string;
  /** Its expected seconds. */
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
