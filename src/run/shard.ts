import { sha256 } from '../base/canonical.ts';
import { lookUp } from '../base/objects.ts';
import { splitmix64 } from '../base/random.ts';
import type { Thresholds } from '../evidence/checks/check.ts';
import { fnv1a } from '../gpu/fingerprint.ts';
import { type Case, formatCase, operandsText } from '../problem/case.ts';
import { badShard } from './messages.ts';
import type { Results } from './results.ts';

/** A part of a campaign, numbered from 1 to `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The cases of a shard, and their places in the campaign. */
export interface ShardedCases<T> {
  readonly cases: T[];
  readonly places: number[];
}

/**
 * Selects the cases of a shard, in their order. Shard sizes differ by at most one. The selection follows from the cases of the campaign
 * alone. Cases of one input share its exact product, so they stay together unless a shard ends among them. A case added to a campaign
 * moves only cases at the ends of shards.
 */
export function casesOfShard<T extends Case>(campaign: readonly T[], { index, of }: Shard): ShardedCases<T> {
  const order = campaign
    .map((value, place) => ({ place, spread: splitmix64(BigInt(fnv1a(operandsText(value))), 1)[0] }))
    .sort((x, y) => (x.spread < y.spread ? -1 : x.spread > y.spread ? 1 : x.place - y.place));
  const end = (shard: number) => Math.floor((shard * campaign.length) / of);
  const places = order.slice(end(index - 1), end(index)).map(({ place }) => place);
  places.sort((x, y) => x - y);
  return { cases: places.map((place) => campaign[place]), places };
}

/** Properties of a campaign besides its cases. */
export interface CampaignProperties {
  readonly thresholds: Thresholds;
  /** True if these are all cases that a config requests: the command line selected none among them. */
  readonly whole: boolean;
  /** A digest of the visible sources that decide what kernels compute. @defaultValue not computed */
  readonly sources?: string | undefined;
  /** Sentences on why passing cases are not a pass. @defaultValue none */
  readonly lacks?: readonly string[];
}

/** Computes the id of a campaign: a SHA-256 of the texts of its cases, each once and in order, its thresholds and its sources. */
const campaignId = (
  texts: readonly string[],
  { thresholds: { sigmas, drift }, sources }: Pick<CampaignProperties, 'thresholds' | 'sources'>,
): Promise<string> => sha256(JSON.stringify([texts, sigmas, drift, sources]));

/** Describes a campaign for its results. */
export async function describeCampaign(
  campaign: readonly Case[],
  { thresholds, whole, sources, lacks = [] }: CampaignProperties,
): Promise<NonNullable<Results['campaign']>> {
  const texts = [...new Set(campaign.map(formatCase))];
  const id = await campaignId(texts, { thresholds, sources });
  return {
    ...{ id, cases: texts.length, whole },
    ...(sources === undefined ? {} : { sources }),
    ...(lacks.length === 0 ? {} : { lacks: [...lacks] }),
  };
}

/** Most shards of a campaign: far more than a farm has. */
const MOST_SHARDS = 100_000;

/** True if a run was of a shard without cases: there are more shards than cases, and the joined results are judged. */
export const isEmptyShard = ({
  shard,
  summary,
  fuzz,
}: Pick<Results, 'shard' | 'summary' | 'fuzz'>): boolean =>
  shard !== undefined && summary.planned === 0 && fuzz === undefined;

export const emptyVerdict = ({ index, of }: Shard, cases: number): Pick<Results, 'verdict' | 'reason'> => ({
  verdict: 'inconclusive',
  reason: `Shard ${index} of ${of} is empty: the campaign has only ${cases}.`,
});

type Environment = Readonly<Record<string, string | undefined>>;

/** A shard, and a sentence on its origin unless it was given explicitly. */
export interface ChosenShard extends Shard {
  readonly because?: string;
}

/**
 * Reads `2/8`, `auto`, which takes both numbers from the variables of a scheduler, or `auto/8`, which takes only the first.
 * @throws ParanoiaError `bad-shard`
 */
export function parseShard(given: string, env: Environment): ChosenShard {
  const parts = /^(auto|\d{1,6})(?:\/(\d{1,6}))?$/.exec(given.replaceAll(' ', ''));
  if (parts === null) throw badShard({ given, why: 'it must be i/n, auto or auto/n' });
  const [, first, second] = parts;
  const of = second === undefined ? undefined : Number(second);
  if (first === 'auto') return fromEnvironment(given, of, env);
  if (of === undefined) throw badShard({ given, why: 'the number of shards is missing' });
  return checked(given, { index: Number(first), of });
}

function checked(given: string, { index, of }: Shard): Shard {
  const refuse = (why: string) => badShard({ given, why });
  if (of < 1 || of > MOST_SHARDS)
    throw refuse(`the number of shards must be 1 to ${MOST_SHARDS}, found ${of}`);
  if (index < 1 || index > of) throw refuse(`shards are numbered from 1 to ${of}, found ${index}`);
  return { index, of };
}

/** The variables in which a scheduler numbers its jobs. */
interface Scheduler {
  readonly name: string;
  readonly index: string;
  /** The variable of the number of jobs. Absent where the scheduler has none. */
  readonly count?: string;
  /** The number of the first job. */
  readonly first: number;
  /**
   * The variables of the least and the largest number, for schedulers that can run some of the jobs again alone. The count is then that of
   * the rerun, not of all jobs.
   */
  readonly range?: readonly [least: string, largest: string];
}

const schedulers: readonly Scheduler[] = [
  {
    name: 'Slurm array',
    index: 'SLURM_ARRAY_TASK_ID',
    count: 'SLURM_ARRAY_TASK_COUNT',
    first: 1,
    range: ['SLURM_ARRAY_TASK_MIN', 'SLURM_ARRAY_TASK_MAX'],
  },
  { name: 'Kubernetes indexed Job', index: 'JOB_COMPLETION_INDEX', first: 0 },
  { name: 'GitLab', index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', first: 0 },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', count: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0 },
];

function fromEnvironment(given: string, of: number | undefined, env: Environment): ChosenShard {
  const refuse = (why: string) => badShard({ given, why });
  const textOf = (variable: string) => lookUp(env, variable);
  const [scheduler, other] = schedulers.filter(({ index }) => isSet(textOf(index)));
  if (scheduler === undefined) {
    throw refuse(`none of the variables ${schedulers.map(({ index }) => index).join(', ')} is set`);
  }
  if (other !== undefined) throw refuse(`both ${scheduler.index} and ${other.index} are set`);
  const read = (variable: string) => {
    const text = textOf(variable) ?? '';
    if (/^\d{1,9}$/.test(text)) return Number(text);
    throw refuse(`${variable} must be a whole number, but is ${isSet(text) ? `"${text}"` : 'not set'}`);
  };
  const { name, index: variable, count, range, first } = scheduler;
  const isCounted =
    count !== undefined && (of === undefined || (range === undefined && isSet(textOf(count))));
  const said = isCounted ? read(count) : of;
  if (said === undefined) throw refuse(`${variable} does not state the number of shards: give auto/n`);
  if (of !== undefined && of !== said) throw refuse(`${count} is ${said}`);
  const least = of === undefined && range !== undefined ? leastOfAll(range.map(read), said, refuse) : first;
  const index = read(variable) - least + 1;
  if (index < 1 || index > said) {
    throw refuse(`${variable}=${textOf(variable)} is not one of ${said} numbers from ${least}`);
  }
  return { ...checked(given, { index, of: said }), because: `${variable}=${textOf(variable)} (${name})` };
}

/** Returns the least number of the jobs, if their numbers show that these are all jobs. */
function leastOfAll(
  [least, largest]: readonly number[],
  count: number,
  refuse: (why: string) => Error,
): number {
  if (count > 1 && least <= 1 && largest - least + 1 === count) return least;
  const numbered = count === 1 ? `task ${least} alone` : `${count} tasks from ${least} to ${largest}`;
  throw refuse(
    `the array has ${numbered}, which may be part of a larger one: give auto/n, with tasks numbered from 1 to n`,
  );
}

const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';
