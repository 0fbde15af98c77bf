import { z } from 'zod';
import { caseResult } from '../evidence/case-result.ts';
import { inspection } from '../inspect/inspection.ts';
import { roundFound, roundPlace, roundsPlan } from '../run/fuzz-round.ts';
import { limit } from '../run/limit.ts';
import { results } from '../run/results.ts';

/** What a store holds: the campaign, the machines that worked on it, and the results of its batches. */

/** Files of these kinds, with the version of each that is read. */
export const SCHEMAS = {
  campaign: 'gemm-paranoia/farm-campaign/1',
  machine: 'gemm-paranoia/farm-machine/1',
  batch: 'gemm-paranoia/farm-batch/1',
} as const;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const inspected = z.object({ kernel: z.string(), precision: z.string() });

const workCase = z.object({
  case: z.string(),
  after: z.array(z.string()).optional(),
  series: z.boolean().optional(),
  detailed: z.boolean().optional(),
});

const batch = z.union([
  z.object({ id: sha256, seconds: z.number(), places: z.array(z.int().min(0)).min(1) }),
  z.object({ id: sha256, seconds: z.number(), inspect: inspected }),
  z.object({ id: sha256, seconds: z.number(), fuzz: roundPlace }),
]);

const waiver = z.object({
  case: z.string(),
  reason: z.string(),
  expires: z.string(),
  check: z.string().optional(),
});

/** A campaign: what is to be judged, and how it is cut. */
export const storedCampaign = z.object({
  schema: z.literal(SCHEMAS.campaign),
  /** That of the campaign in results. */
  id: sha256,
  createdAt: z.string(),
  version: z.string(),
  command: z.string(),
  seed: z.int(),
  sources: sha256,
  /** What the sources are digests of, to say in which of them another config differs. */
  files: z.array(z.object({ name: z.string(), digest: z.string() })),
  thresholds: z.object({ sigmas: z.number(), drift: z.number() }),
  /** The limit of the cases of each kernel: seconds in each batch, or a count in the campaign; absent where nothing does. */
  budget: z.optional(limit),
  /** Whether these are all cases that the config asks for. */
  whole: z.boolean(),
  cases: z.array(workCase),
  /** Of a campaign whose cases are drawn where they are judged: what is drawn. It has no cases of its own. */
  fuzz: z.optional(roundsPlan),
  batches: z.array(batch),
  /** Kernels that do not claim to give the same bits again: results of theirs may differ. */
  unsteady: z.array(z.string()),
  waivers: z.array(waiver),
  notes: z.array(z.string()),
  /** Sentences on kernels that take so few shapes that passing them is no pass. */
  thin: z.array(z.string()),
  /** What a command that runs cases again has before and behind them. */
  replay: z.object({ before: z.string(), behind: z.string() }),
});
export type StoredCampaign = z.infer<typeof storedCampaign>;

/** How many cases a campaign has, drawn ones among them. */
export const casesIn = ({ cases, fuzz }: Pick<StoredCampaign, 'cases' | 'fuzz'>): number =>
  fuzz === undefined ? cases.length : fuzz.runs * fuzz.targets.length;

/** A machine, as results tell it, and the baselines that it is compared with. */
export const storedMachine = z.object({
  schema: z.literal(SCHEMAS.machine),
  key: sha256,
  adapter: results.shape.adapter,
  arithmetic: results.shape.arithmetic,
  probe: results.shape.probe,
  notes: z.array(z.string()),
});
export type StoredMachine = z.infer<typeof storedMachine>;

/** The results of a batch on a machine. */
export const storedBatch = z.object({
  schema: z.literal(SCHEMAS.batch),
  key: sha256,
  /** Its id, and the key of the machine, from which its own key follows. */
  batch: sha256,
  machine: sha256,
  createdAt: z.string(),
  seconds: z.number().min(0),
  /** Results of its cases, in their order. */
  cases: z.array(caseResult),
  /** The cases that its budget left out. */
  leftOut: z.array(z.string()),
  /** Sentences on how exact products were made. */
  said: z.array(z.string()),
  versions: results.shape.versions,
  inspection: z.optional(inspection),
  /** What a round of drawn cases found. */
  fuzz: z.optional(roundFound),
  /** Why a kernel could not be inspected, or a round not be judged, to its end. */
  uninspected: z.string().optional(),
  /** How many workers ended with it, where that is why nothing more is known of it. */
  ended: z.int().min(1).optional(),
});
export type StoredBatch = z.infer<typeof storedBatch>;

/** What files are called. */
export const nameOf = {
  prefix: 'campaign-',
  campaign: (id: string) => `campaign-${id}.json.gz`,
  machine: (campaign: string, key: string) => `machine-${campaign}-${key}.json.gz`,
  machines: (campaign: string) => `machine-${campaign}-`,
  batch: (key: string) => `${key}.json.gz`,
  /** Other results of a key, told apart by their digest. */
  other: (key: string, digest: string) => `${key}.differs-${digest.slice(0, 16)}.json.gz`,
} as const;
